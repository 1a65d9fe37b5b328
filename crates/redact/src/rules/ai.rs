//! Keys of model providers.

use super::{Rule, keyed, token};
use crate::class::Class;
use crate::detect::token::Token;

pub(crate) const RULES: &[Rule] = &[
    token(
        "anthropic-admin-key",
        "Anthropic admin key",
        &["sk-ant-admin01-"],
        Token::at_least(Class::Dash, 20),
    ),
    token(
        "openai-admin-key",
        "OpenAI admin key",
        &["sk-admin-"],
        Token::at_least(Class::Dash, 20).dense(),
    ),
    token("openrouter-key", "OpenRouter API key", &["sk-or-v1-"], Token::exactly(Class::Hex, 64)),
    token("langfuse-key", "Langfuse secret key", &["sk-lf-"], Token::uuid()),
    token(
        "helicone-key",
        "Helicone API key",
        &["sk-helicone-"],
        Token::at_least(Class::Dash, 20).dense(),
    ),
    token("anthropic-key", "Anthropic API key", &["sk-ant-"], Token::at_least(Class::Dash, 20)),
    token(
        "openai-key",
        "OpenAI or compatible API key",
        &["sk-"],
        Token::at_least(Class::Dash, 10).dense(),
    ),
    token(
        "hugging-face-token",
        "Hugging Face token",
        &["hf_", "api_org_"],
        Token::at_least(Class::Alnum, 30),
    ),
    token("replicate-token", "Replicate API token", &["r8_"], Token::at_least(Class::Alnum, 30)),
    token("groq-key", "Groq API key", &["gsk_"], Token::at_least(Class::Alnum, 40)),
    token("perplexity-key", "Perplexity API key", &["pplx-"], Token::at_least(Class::Alnum, 32)),
    token("xai-key", "xAI API key", &["xai-"], Token::at_least(Class::Alnum, 60)),
    token("cerebras-key", "Cerebras API key", &["csk-"], Token::at_least(Class::Alnum, 40)),
    token("nvidia-key", "NVIDIA API key", &["nvapi-"], Token::at_least(Class::Dash, 40)),
    token(
        "langsmith-key",
        "LangSmith API key",
        &["lsv2_pt_", "lsv2_sk_"],
        Token::at_least(Class::Word, 36),
    ),
    token("elevenlabs-key", "ElevenLabs API key", &["sk_"], Token::exactly(Class::Hex, 48)),
    token("langchain-key", "LangChain API key", &["ls__"], Token::exactly(Class::Hex, 32)),
    token("pinecone-key", "Pinecone API key", &["pcsk_"], Token::at_least(Class::Word, 40)),
    token("together-key", "Together AI key", &["tgp_v1_"], Token::at_least(Class::Dash, 30)),
    token("jina-key", "Jina AI key", &["jina_"], Token::at_least(Class::Dash, 40)),
    token("tavily-key", "Tavily API key", &["tvly-"], Token::at_least(Class::Dash, 20).dense()),
    token("e2b-key", "E2B API key", &["e2b_"], Token::exactly(Class::Hex, 40)),
    token("runpod-key", "RunPod API key", &["rpa_"], Token::at_least(Class::Alnum, 40)),
    token("wandb-key", "Weights & Biases key", &["wandb_v1_"], Token::at_least(Class::Word, 30)),
    keyed("wandb-legacy-key", "Weights & Biases key without a prefix", &["wandb"], Class::Hex, 40),
    keyed("mistral-key", "Mistral API key", &["mistral"], Class::Alnum, 32),
    keyed("cohere-key", "Cohere API key", &["cohere_", "cohere-"], Class::Alnum, 40),
    keyed("assemblyai-key", "AssemblyAI key", &["assemblyai", "assembly_ai"], Class::Hex, 32),
    keyed("deepgram-key", "Deepgram API key", &["deepgram"], Class::Hex, 40),
    keyed("clarifai-key", "Clarifai API key", &["clarifai"], Class::Hex, 32),
];
