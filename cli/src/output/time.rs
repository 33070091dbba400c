//! Points in time as text.

/// `YYYYMMDDTHHMMSSZ` (ISO 8601, basic form) of seconds since 1970.
pub(crate) fn utc(seconds: u64) -> String {
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970u64;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let mut month = 1u64;
    for length in month_lengths(year) {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    let (day, second) = (days + 1, second % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn year_length(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

const fn month_lengths(year: u64) -> [u64; 12] {
    let february = if is_leap(year) { 29 } else { 28 };
    [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // By `date -u -d @SECONDS +%Y%m%dT%H%M%SZ`.
        let known = [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"),
            (1_709_251_199, "20240229T235959Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
        ];
        for (seconds, text) in known {
            assert_eq!(utc(seconds), text);
        }
    }
}
