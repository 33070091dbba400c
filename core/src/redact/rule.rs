//! The rules of redaction and the policy that lists them.

macro_rules! rules {
    ($($variant:ident, $name:literal, $version:literal, $what:literal;)*) => {
        /// What was recognised.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $what] $variant,)*
        }

        impl Rule {
            /// All rules, in the policy's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The rule's name in the replacement text and in records.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        /// One line per rule: name, version, what it matches.
        pub(super) const POLICY: &str = concat!(
            "receipt redaction policy 1\n",
            $($name, " ", $version, " ", $what, "\n",)*
        );
    };
}

rules! {
    AwsKeyId, "aws-key-id", "1", "AWS access key id: AKIA or ASIA and 16 capitals or digits";
    AwsSecretKey, "aws-secret-key", "1", "40 characters assigned to a name with SECRET and KEY";
    GitHub, "github-token", "1", "GitHub token: ghp_ gho_ ghu_ ghs_ ghr_ github_pat_";
    GitLab, "gitlab-token", "1", "GitLab token: glpat- gldt- glrt-";
    Slack, "slack-token", "1", "Slack token: xoxa- xoxb- xoxp- xoxr- xoxs- xoxe- xapp-";
    SlackWebhook, "slack-webhook", "1", "path of a Slack webhook address";
    Stripe, "stripe-key", "1", "Stripe live key: sk_live_ rk_live_";
    Anthropic, "anthropic-key", "1", "Anthropic key: sk-ant-";
    OpenAi, "openai-key", "1", "OpenAI and compatible keys: sk- sk-proj- sk-svcacct- sk-admin- sk-or-v1-";
    Google, "google-key", "1", "Google API key: AIza and 35 characters";
    Npm, "npm-token", "1", "npm token: npm_ and 36 characters";
    PyPi, "pypi-token", "1", "PyPI token: pypi-";
    HuggingFace, "huggingface-token", "1", "Hugging Face token: hf_";
    SendGrid, "sendgrid-key", "1", "SendGrid key: SG. and two parts";
    Twilio, "twilio-key", "1", "Twilio key: SK and 32 hexadecimal digits";
    Jwt, "jwt", "1", "JSON web token with its signature";
    DigitalOcean, "digitalocean-token", "1", "DigitalOcean token: dop_v1_ doo_v1_ dor_v1_";
    AgeKey, "age-key", "1", "age secret key: AGE-SECRET-KEY-1";
    UrlPassword, "url-password", "1", "password in the user part of an address";
    PrivateKey, "private-key", "1", "PEM private key block, also cut off";
    Authorization, "authorization", "1", "credential in an authorization or API key header";
    Assignment, "assignment", "1", "value assigned to a name with SECRET, TOKEN, PASSWORD, PASSWD, PASSPHRASE, API_KEY, APIKEY, PRIVATE_KEY, ACCESS_KEY or CREDENTIAL";
}
