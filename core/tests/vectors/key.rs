use super::{Vector, accepted, run};
use receipt_core::key::{KeyError, PemError, PrivateKey, PublicKey};

#[test]
fn keys() {
    let known = [
        "ok",
        "refused",
        "not-canonical",
        "weak",
        "mixed-order",
        "not-pem",
        "not-pkcs8",
        "zero-seed",
    ];
    run("key", &known, |vector| match vector.text("what") {
        "public" => match PublicKey::from_bytes(&vector.digest("key")) {
            Ok(_) => "ok",
            Err(KeyError::NotCanonical) => "not-canonical",
            Err(KeyError::Weak) => "weak",
            Err(KeyError::MixedOrder) => "mixed-order",
        },
        "signature" => signature(vector),
        "pem" => pem(vector),
        "pem-of-seed" => {
            let key = PrivateKey::from_seed(&vector.digest("seed")).unwrap();
            accepted(key.to_pem() == vector.text("pem"))
        }
        other => panic!("{}: unknown what `{other}`", vector.name),
    });
}

fn signature(vector: &Vector) -> &'static str {
    let key = PublicKey::from_bytes(&vector.digest("key")).unwrap();
    let signature = vector.bytes("signature").try_into().unwrap();
    accepted(key.verifies(&vector.bytes("message"), &signature))
}

fn pem(vector: &Vector) -> &'static str {
    match PrivateKey::from_pem(vector.text("pem")) {
        Ok(key) => {
            assert_eq!(key.public().as_bytes(), &vector.digest("public"));
            "ok"
        }
        Err(PemError::NotPem) => "not-pem",
        Err(PemError::NotPkcs8) => "not-pkcs8",
        Err(PemError::ZeroSeed) => "zero-seed",
    }
}
