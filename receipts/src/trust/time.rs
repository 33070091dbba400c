//! OpenSSH's timestamps: `YYYYMMDD[HHMM[SS]]` with `Z` or `UTC` after it, or local.

/// How far west and east of Greenwich local time can be, in seconds.
const WEST: u64 = 12 * 3600;
const EAST: u64 = 14 * 3600;

/// The earliest and the latest moment that a timestamp can mean, in seconds
/// since 1970. With `Z` they are the same. Without, OpenSSH takes local time;
/// nothing here knows a time zone, so all of them are allowed for.
pub(super) fn parse(text: &str) -> Option<(u64, u64)> {
    let zones = ["Z", "z", "UTC", "utc"];
    let named = zones.iter().find_map(|zone| text.strip_suffix(zone));
    let (digits, utc) = (named.unwrap_or(text), named.is_some());
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
    let (hour, minute, second) = match digits.len() {
        8 => (0, 0, 0),
        12 => (number(8, 10)?, number(10, 12)?, 0),
        14 => (number(8, 10)?, number(10, 12)?, number(12, 14)?),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let day = days(year, month, day)?;
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second;
    if utc {
        return Some((seconds, seconds));
    }
    Some((seconds.saturating_sub(EAST), seconds.saturating_add(WEST)))
}

/// Days since 1970 of a date of the Gregorian calendar.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1970..=9999).contains(&year) || day == 0 || day > month_length(year, month)? {
        return None;
    }
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let from_1970 = (year - 1970) * 365 + leap_days - 477;
    let in_year: u64 = (1..month).filter_map(|m| month_length(year, m)).sum();
    Some(from_1970 + in_year + day - 1)
}

fn month_length(year: u64, month: u64) -> Option<u64> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}
