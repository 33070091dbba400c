//! s
use crate::check::named::named_enum;
use alloc::string::{String,ToString};
use alloc::vec::Vec;
named_enum! { /// k
 pub enum StubKind { /// a
 Marker = "marker", /// a
 NotImplemented = "not-implemented", /// a
 SkippedTest = "skipped-test", /// a
 OnlyTest = "only-test", } }
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub { /// k
 pub kind: StubKind, /// l
 pub line: String }
/// s
#[must_use]
pub fn stubs(_l: &str, line: &str) -> Vec<Stub> {
 let mut v=Vec::new(); let t=line.trim();
 let c = t.find("# TODO").or(t.find("// FIXME")).or(t.find("# FIXME"));
 if c.is_some() { v.push(Stub{kind:StubKind::Marker,line:t.to_string()}); }
 if t.starts_with("raise NotImplementedError") || t=="todo!()" { v.push(Stub{kind:StubKind::NotImplemented,line:t.to_string()}); }
 if t.starts_with("@pytest.mark.skip") || t.contains("it.skip(") { v.push(Stub{kind:StubKind::SkippedTest,line:t.to_string()}); }
 if t.contains("it.only(") { v.push(Stub{kind:StubKind::OnlyTest,line:t.to_string()}); }
 v }
/// u
#[must_use]
pub const fn unambiguous(kind: StubKind) -> bool { !matches!(kind, StubKind::Marker) }
