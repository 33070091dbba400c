//! Token shapes of well-known providers.

use super::scan::is_word;
use super::{Cut, Rule};

/// A prefix and what must follow it.
struct Shape {
    prefix: &'static [u8],
    rule: Rule,
    body: Body,
    least: usize,
    /// A letter, digit or underscore right before it rules it out.
    bounded: bool,
}

/// The characters after the prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits; neither an underscore nor more of them may follow.
    Alnum,
    /// Letters, digits and underscores.
    Word,
    /// Letters, digits, underscores and hyphens.
    Slug,
    /// Letters, digits and hyphens, a digit among them.
    Dashed,
    /// Exactly `least` capitals and digits.
    Capitals,
    /// Exactly `least` hexadecimal digits.
    Hex,
}

const fn shape(
    prefix: &'static [u8],
    rule: Rule,
    body: Body,
    least: usize,
    bounded: bool,
) -> Shape {
    Shape {
        prefix,
        rule,
        body,
        least,
        bounded,
    }
}

const UPPER_A: &[Shape] = &[
    shape(b"AKIA", Rule::AwsKeyId, Body::Capitals, 16, true),
    shape(b"ASIA", Rule::AwsKeyId, Body::Capitals, 16, true),
    shape(b"AIza", Rule::Google, Body::Slug, 35, true),
    shape(b"AGE-SECRET-KEY-1", Rule::AgeKey, Body::Alnum, 50, false),
];

const LOWER_G: &[Shape] = &[
    shape(b"ghp_", Rule::GitHub, Body::Word, 30, false),
    shape(b"gho_", Rule::GitHub, Body::Word, 30, false),
    shape(b"ghu_", Rule::GitHub, Body::Word, 30, false),
    shape(b"ghs_", Rule::GitHub, Body::Word, 30, false),
    shape(b"ghr_", Rule::GitHub, Body::Word, 30, false),
    shape(b"github_pat_", Rule::GitHub, Body::Word, 22, false),
    shape(b"glpat-", Rule::GitLab, Body::Slug, 20, false),
    shape(b"gldt-", Rule::GitLab, Body::Slug, 20, false),
    shape(b"glrt-", Rule::GitLab, Body::Slug, 20, false),
];

const LOWER_X: &[Shape] = &[
    shape(b"xoxa-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xoxb-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xoxe-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xoxp-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xoxr-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xoxs-", Rule::Slack, Body::Dashed, 10, false),
    shape(b"xapp-", Rule::Slack, Body::Dashed, 20, false),
];

const LOWER_S: &[Shape] = &[
    shape(b"sk_live_", Rule::Stripe, Body::Alnum, 16, false),
    shape(b"sk-ant-", Rule::Anthropic, Body::Slug, 20, false),
    shape(b"sk-proj-", Rule::OpenAi, Body::Slug, 20, false),
    shape(b"sk-svcacct-", Rule::OpenAi, Body::Slug, 20, false),
    shape(b"sk-admin-", Rule::OpenAi, Body::Slug, 20, false),
    shape(b"sk-or-v1-", Rule::OpenAi, Body::Alnum, 32, false),
    shape(b"sk-", Rule::OpenAi, Body::Alnum, 32, true),
];

const LOWER_R: &[Shape] = &[shape(b"rk_live_", Rule::Stripe, Body::Alnum, 16, false)];
const LOWER_N: &[Shape] = &[shape(b"npm_", Rule::Npm, Body::Alnum, 36, true)];
const LOWER_P: &[Shape] = &[shape(b"pypi-", Rule::PyPi, Body::Slug, 50, true)];
const LOWER_H: &[Shape] = &[shape(b"hf_", Rule::HuggingFace, Body::Alnum, 30, true)];
const UPPER_S: &[Shape] = &[shape(b"SK", Rule::Twilio, Body::Hex, 32, true)];
const LOWER_D: &[Shape] = &[
    shape(b"dop_v1_", Rule::DigitalOcean, Body::Alnum, 40, false),
    shape(b"doo_v1_", Rule::DigitalOcean, Body::Alnum, 40, false),
    shape(b"dor_v1_", Rule::DigitalOcean, Body::Alnum, 40, false),
];

/// A quick look at two bytes that spares most places the close one.
#[inline]
pub(super) const fn may_begin(first: u8, second: u8) -> bool {
    match first {
        b's' | b'r' => second == b'k',
        b'n' => second == b'p',
        b'p' => second == b'y',
        b'd' => second == b'o',
        b'h' => matches!(second, b'f' | b'o'),
        b'g' => matches!(second, b'h' | b'i' | b'l'),
        b'x' => matches!(second, b'o' | b'a'),
        b'A' => matches!(second, b'K' | b'S' | b'I' | b'G'),
        b'S' => matches!(second, b'K' | b'G'),
        _ => false,
    }
}

/// The token that begins at `at`; `in_word` tells that a word reaches up to it.
pub(super) fn at(input: &[u8], at: usize, in_word: bool) -> Option<Cut> {
    let rest = input.get(at..)?;
    let shapes = match rest {
        [b'A', b'K' | b'S' | b'I' | b'G', ..] => UPPER_A,
        [b'g', b'h' | b'i' | b'l', ..] => LOWER_G,
        [b'x', b'o' | b'a', ..] => LOWER_X,
        [b's', b'k', ..] => LOWER_S,
        [b'r', b'k', ..] => LOWER_R,
        [b'n', b'p', ..] => LOWER_N,
        [b'p', b'y', ..] => LOWER_P,
        [b'd', b'o', ..] => LOWER_D,
        [b'h', b'f', ..] => LOWER_H,
        [b'S', b'K', ..] => UPPER_S,
        [b'h', b'o', ..] => return webhook(rest, at),
        [b'S', b'G', ..] => return sendgrid(rest, at),
        _ => return None,
    };
    shaped(shapes, rest, at, in_word)
}

fn shaped(shapes: &[Shape], rest: &[u8], at: usize, in_word: bool) -> Option<Cut> {
    shapes
        .iter()
        .filter(|shape| !(shape.bounded && in_word))
        .find_map(|shape| Some((shape.rule, shape.prefix.len() + shape.body_len(rest)?)))
        .map(|(rule, len)| Cut {
            rule,
            start: at,
            end: at + len,
        })
}

impl Shape {
    /// Length of the body behind the prefix, if it is such a token.
    fn body_len(&self, rest: &[u8]) -> Option<usize> {
        let body = rest.strip_prefix(self.prefix)?;
        if self.body == Body::Dashed && !has_early_digit(body) {
            return None;
        }
        let len = run(body, |byte| self.body.has(byte));
        let ends = body.get(len).is_none_or(|byte| !is_word(*byte));
        let fits = match self.body {
            Body::Capitals | Body::Hex => len == self.least && ends,
            Body::Alnum => len >= self.least && ends,
            Body::Dashed | Body::Word | Body::Slug => len >= self.least,
        };
        fits.then_some(len)
    }
}

impl Body {
    const fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => is_word(byte),
            Self::Slug => is_slug(byte),
            Self::Dashed => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
        }
    }
}

const fn is_slug(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// Number of leading bytes that are as asked.
pub(super) fn run(bytes: &[u8], mut is: impl FnMut(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(**byte)).count()
}

/// A digit among the first characters: else it is words with hyphens.
fn has_early_digit(body: &[u8]) -> bool {
    let dashed = |byte: &&u8| Body::Dashed.has(**byte);
    body.iter()
        .take(16)
        .take_while(dashed)
        .any(u8::is_ascii_digit)
}

/// The web token that begins at `at`: a header, a body and a signature in
/// base64url with dots between.
///
/// # Errors
///
/// Where to look for the next one: not before the first dot.
pub(super) fn jwt(input: &[u8], at: usize) -> Result<Cut, usize> {
    let rest = input.get(at..).unwrap_or_default();
    let head = run(rest, is_slug);
    let behind = rest.get(head..).unwrap_or_default();
    let tail = part(behind, b".eyJ", 12)
        .and_then(|body| Some(body + part(behind.get(body..)?, b".", 9)?))
        .filter(|_| head >= 12 && rest.starts_with(b"eyJ"));
    match tail {
        Some(tail) => Ok(Cut {
            rule: Rule::Jwt,
            start: at,
            end: at + head + tail,
        }),
        None => Err(at + head),
    }
}

/// `SG.` and two parts of about 22 and 43 characters.
fn sendgrid(rest: &[u8], at: usize) -> Option<Cut> {
    let head = part(rest, b"SG.", 19)?;
    let tail = part(rest.get(head..)?, b".", 31)?;
    Some(Cut {
        rule: Rule::SendGrid,
        start: at,
        end: at + head + tail,
    })
}

/// Length of `prefix` and the slug after it, if together at least `least`.
fn part(rest: &[u8], prefix: &[u8], least: usize) -> Option<usize> {
    let len = prefix.len() + run(rest.strip_prefix(prefix)?, is_slug);
    (len >= least).then_some(len)
}

/// What follows the address of Slack's webhooks is the whole secret.
fn webhook(rest: &[u8], at: usize) -> Option<Cut> {
    const ADDRESS: &[u8] = b"hooks.slack.com/";
    const KINDS: [&[u8]; 3] = [b"services/", b"workflows/", b"triggers/"];
    let path = rest.strip_prefix(ADDRESS)?;
    let kind = KINDS.iter().find(|kind| path.starts_with(kind))?;
    let secret = path.get(kind.len()..)?;
    let len = run(secret, |byte| is_slug(byte) || byte == b'/');
    let start = at + ADDRESS.len() + kind.len();
    (len >= 20).then_some(Cut {
        rule: Rule::SlackWebhook,
        start,
        end: start + len,
    })
}
