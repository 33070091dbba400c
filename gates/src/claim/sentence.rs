//! INTERIM, to be replaced: a message's sentences.
