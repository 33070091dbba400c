//! Looks into vendor JSON; a field of the wrong type is an absent field.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// The field as text.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// The field as owned text, empty if absent.
pub(super) fn string(object: &Value, name: &str) -> String {
    text(object, name).unwrap_or_default().to_owned()
}

/// The field as owned text, if present and not empty.
pub(super) fn filled(object: &Value, name: &str) -> Option<String> {
    text(object, name)
        .filter(|text| !text.is_empty())
        .map(ToOwned::to_owned)
}

/// True only if the field is `true`.
pub(super) fn flag(object: &Value, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The field's items, none if it is no array.
pub(super) fn items<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The text of a string, of a content block, or of a list of them joined by newlines.
pub(super) fn block_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(one_block).collect();
            texts.join("\n")
        }
        other => one_block(other).unwrap_or_default().to_owned(),
    }
}

fn one_block(block: &Value) -> Option<&str> {
    block.as_str().or_else(|| text(block, "text"))
}
