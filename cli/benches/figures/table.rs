//! Columns of figures.

use crate::process::Cost;

/// A row of measurements under one name.
#[derive(Debug, Default, Clone)]
pub struct Row {
    name: String,
    costs: Vec<Cost>,
}

/// A table whose first row is what the others are compared with.
#[derive(Debug)]
pub struct Table {
    title: &'static str,
    rows: Vec<Row>,
}

impl Table {
    /// An empty table with those rows.
    pub fn new(title: &'static str, names: &[&str]) -> Self {
        let row = |name: &&str| Row {
            name: (*name).to_owned(),
            costs: Vec::new(),
        };
        Self {
            title,
            rows: names.iter().map(row).collect(),
        }
    }

    /// Adds a measurement to a row.
    pub fn add(&mut self, row: usize, cost: Cost) {
        self.rows[row].costs.push(cost);
    }

    /// Adds measurements to a row.
    pub fn extend(&mut self, row: usize, costs: Vec<Cost>) {
        self.rows[row].costs.extend(costs);
    }

    /// Prints it.
    pub fn print(&self) {
        println!("\n{}", self.title);
        println!(
            "  {:<44} {:>5} {:>8} {:>8} {:>8} {:>8} {:>6}",
            "", "n", "median", "p90", "p99", "CPU", "ratio"
        );
        let base = of(&self.rows[0].costs, 0.5, |c| c.wall);
        for row in self.rows.iter().filter(|r| !r.costs.is_empty()) {
            let wall = |q| of(&row.costs, q, |c| c.wall);
            println!(
                "  {:<44} {:>5} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>6.2}",
                row.name,
                row.costs.len(),
                wall(0.5),
                wall(0.9),
                wall(0.99),
                of(&row.costs, 0.5, |c| c.cpu),
                wall(0.5) / base
            );
        }
    }
}

/// A quantile, by the nearest rank.
fn of(costs: &[Cost], quantile: f64, value: impl Fn(&Cost) -> f64) -> f64 {
    let mut values: Vec<f64> = costs.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    let rank = (quantile * values.len() as f64).ceil() as usize;
    values
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or(f64::NAN)
}
