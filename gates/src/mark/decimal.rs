//! Decimal numbers as written, compared without floats.

use core::cmp::Ordering;

/// `digits · 10^exponent`, the digits without zeros at their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// Reads `12`, `1_000`, `0.5`, `1e-6`, `80%`, `1.0f`; nothing of another form
    /// and no number of more than 18 digits.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['f', 'F', 'd', 'L', '%', 'm', 'M']);
        let (mantissa, power) = match text.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = 0_u64;
        let mut count = 0_i32;
        for letter in whole.chars().chain(part.chars()).filter(|c| *c != '_') {
            let digit = letter.to_digit(10)?;
            count = count.saturating_add(i32::from(digits > 0 || digit > 0));
            digits = digits.saturating_mul(10).saturating_add(digit.into());
        }
        let known = !(whole.is_empty() && part.is_empty()) && count <= 18;
        let scale = i32::try_from(part.chars().filter(|c| *c != '_').count()).ok()?;
        let exponent = power.checked_sub(scale)?;
        (known && exponent.abs() < 64).then(|| Self { digits, exponent }.shortened())
    }

    fn shortened(mut self) -> Self {
        if self.digits == 0 {
            self.exponent = 0;
        }
        while self.digits > 0 && self.digits.is_multiple_of(10) {
            self.digits /= 10;
            self.exponent = self.exponent.saturating_add(1);
        }
        self
    }

    /// How the numbers are ordered.
    pub(super) fn order(self, other: Self) -> Ordering {
        let low = self.exponent.min(other.exponent);
        let scaled = |number: Self| {
            let by = u32::try_from(number.exponent.saturating_sub(low)).unwrap_or(u32::MAX);
            let factor = 10_u128.checked_pow(by);
            factor.and_then(|f| f.checked_mul(number.digits.into()))
        };
        match (scaled(self), scaled(other)) {
            (Some(a), Some(b)) => a.cmp(&b),
            // Only the one with the higher exponent can be too large.
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        }
    }

    /// In hundredths, rounded down; nothing above a million.
    pub(super) fn hundredths(self) -> Option<i64> {
        let power = self.exponent.saturating_add(2);
        let digits = i64::try_from(self.digits).ok()?;
        let value = match u32::try_from(power) {
            Ok(power) => digits.checked_mul(10_i64.checked_pow(power)?)?,
            Err(_) => digits.checked_div(10_i64.checked_pow(power.unsigned_abs())?)?,
        };
        (value <= 100_000_000).then_some(value)
    }
}
