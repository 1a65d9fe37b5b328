//! Keys of model providers.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::Token;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "anthropic-key",
        title: "Anthropic API key",
        triggers: &["sk-ant-"],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "openai-key",
        title: "OpenAI or compatible API key",
        triggers: &["sk-"],
        check: Check::Token(Token::at_least(Class::Dash, 10).dense()),
    },
    Rule {
        id: "hugging-face-token",
        title: "Hugging Face token",
        triggers: &["hf_", "api_org_"],
        check: Check::Token(Token::at_least(Class::Alnum, 30)),
    },
    Rule {
        id: "replicate-token",
        title: "Replicate API token",
        triggers: &["r8_"],
        check: Check::Token(Token::at_least(Class::Alnum, 30)),
    },
    Rule {
        id: "groq-key",
        title: "Groq API key",
        triggers: &["gsk_"],
        check: Check::Token(Token::at_least(Class::Alnum, 40)),
    },
    Rule {
        id: "perplexity-key",
        title: "Perplexity API key",
        triggers: &["pplx-"],
        check: Check::Token(Token::at_least(Class::Alnum, 32)),
    },
    Rule {
        id: "xai-key",
        title: "xAI API key",
        triggers: &["xai-"],
        check: Check::Token(Token::at_least(Class::Alnum, 60)),
    },
    Rule {
        id: "cerebras-key",
        title: "Cerebras API key",
        triggers: &["csk-"],
        check: Check::Token(Token::at_least(Class::Alnum, 40)),
    },
    Rule {
        id: "nvidia-key",
        title: "NVIDIA API key",
        triggers: &["nvapi-"],
        check: Check::Token(Token::at_least(Class::Dash, 40)),
    },
    Rule {
        id: "langsmith-key",
        title: "LangSmith API key",
        triggers: &["lsv2_pt_", "lsv2_sk_"],
        check: Check::Token(Token::at_least(Class::Word, 36)),
    },
    Rule {
        id: "elevenlabs-key",
        title: "ElevenLabs API key",
        triggers: &["sk_"],
        check: Check::Token(Token::exactly(Class::Hex, 48)),
    },
];
