// Templates of secrets whose format a vendor publishes. Nothing in this file is a real secret, or the beginning of one.
import { ALPHABETS } from './random.mjs';

const CHARACTER_CLASSES = {
  /** `A`: letters and digits. `a`: lower-case letters and digits. `Z`: upper-case letters and digits. `h`, `H`: hexadecimal. */
  A: ALPHABETS.alphanumeric,
  a: ALPHABETS.lower + ALPHABETS.digits,
  Z: ALPHABETS.upper + ALPHABETS.digits,
  h: ALPHABETS.hex,
  H: ALPHABETS.hex.toUpperCase(),
  d: ALPHABETS.digits,
  B: ALPHABETS.base64,
  U: ALPHABETS.base64url,
  /** `R`: base32. `Q`: the upper-case alphabet of bech32. */
  R: `${ALPHABETS.upper}234567`,
  Q: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** `{A36}` is replaced by 36 characters of the class `A`, `{U40-60}` by 40 to 60 of the class `U`. */
const PLACEHOLDER = /\{(\w)(\d+)(?:-(\d+))?\}/g;

/** Tokens with a recognisable format: an id, a template, and the name of a variable that usually holds such a token. */
const RECOGNISABLE_FORMATS = [
  ['github-classic', 'ghp_{A36}', 'github_token'],
  ['github-oauth', 'gho_{A36}', 'gh_token'],
  ['github-server', 'ghs_{A36}', 'github_token'],
  ['github-fine-grained', 'github_pat_{A22}_{A59}', 'github_pat'],
  ['gitlab', 'glpat-{U20}', 'gitlab_token'],
  ['gitlab-runner', 'glrt-{U20}', 'runner_token'],
  ['slack-bot', 'xoxb-{d12}-{d12}-{A24}', 'slack_bot_token'],
  ['slack-user', 'xoxp-{d12}-{d12}-{d12}-{h32}', 'slack_token'],
  ['slack-app', 'xapp-1-A{Z10}-{d13}-{h64}', 'slack_app_token'],
  ['stripe', 'sk_live_{A24}', 'stripe_secret_key'],
  ['stripe-long', 'sk_live_51{A97}', 'stripe_key'],
  ['stripe-restricted', 'rk_live_{A24-40}', 'stripe_key'],
  ['stripe-webhook', 'whsec_{A32}', 'stripe_webhook_secret'],
  ['openai-project', 'sk-proj-{U74}T3BlbkFJ{U74}', 'openai_api_key'],
  ['openai', 'sk-{A20}T3BlbkFJ{A20}', 'openai_api_key'],
  ['anthropic', 'sk-ant-api03-{U93}AA', 'anthropic_api_key'],
  ['aws-id', 'AKIA{R16}', 'aws_access_key_id'],
  ['aws-session-id', 'ASIA{R16}', 'aws_access_key_id'],
  ['google', 'AIza{U35}', 'google_api_key'],
  ['google-client', 'GOCSPX-{U28}', 'client_secret'],
  ['google-access', 'ya29.{U120-180}', 'access_token'],
  ['npm', 'npm_{A36}', 'npm_token'],
  ['pypi', 'pypi-AgEIcHlwaS5vcmc{U130-160}', 'twine_password'],
  ['rubygems', 'rubygems_{h48}', 'gem_host_api_key'],
  ['docker', 'dckr_pat_{U27}', 'docker_password'],
  ['huggingface', 'hf_{A34}', 'hf_token'],
  ['groq', 'gsk_{A52}', 'groq_api_key'],
  ['replicate', 'r8_{A37}', 'replicate_api_token'],
  ['perplexity', 'pplx-{A48}', 'pplx_api_key'],
  ['digitalocean', 'dop_v1_{h64}', 'digitalocean_token'],
  ['vault', 'hvs.{U90-110}', 'vault_token'],
  ['vault-batch', 'hvb.{U140-160}', 'vault_token'],
  ['terraform', '{A14}.atlasv1.{U60-70}', 'tf_token'],
  ['grafana', 'glsa_{A32}_{h8}', 'grafana_token'],
  ['grafana-cloud', 'glc_{B80-120}', 'grafana_api_key'],
  ['linear', 'lin_api_{A40}', 'linear_api_key'],
  ['shopify', 'shpat_{h32}', 'shopify_access_token'],
  ['postman', 'PMAK-{h24}-{h34}', 'postman_api_key'],
  ['doppler', 'dp.pt.{A43}', 'doppler_token'],
  ['age', 'AGE-SECRET-KEY-1{Q58}', 'age_key'],
  ['databricks', 'dapi{h32}', 'databricks_token'],
  ['sendgrid', 'SG.{U22}.{U43}', 'sendgrid_api_key'],
  ['mailchimp', '{h32}-us{d2}', 'mailchimp_api_key'],
  ['figma', 'figd_{U40}', 'figma_token'],
  ['notion', 'ntn_{d11}{A35}', 'notion_token'],
  ['airtable', 'pat{A14}.{h64}', 'airtable_token'],
  ['atlassian', 'ATATT3xFfGF0{U176}={H8}', 'jira_api_token'],
  ['supabase', 'sbp_{h40}', 'supabase_access_token'],
  ['netlify', 'nfp_{A36}', 'netlify_auth_token'],
  ['pulumi', 'pul-{h40}', 'pulumi_access_token'],
  ['new-relic', 'NRAK-{Z27}', 'new_relic_api_key'],
  ['dynatrace', 'dt0c01.{Z24}.{Z64}', 'dynatrace_token'],
  ['planetscale', 'pscale_tkn_{U43}', 'pscale_token'],
  ['shippo', 'shippo_live_{h40}', 'shippo_token'],
  ['buildkite', 'bkua_{h40}', 'buildkite_token'],
  ['sentry', 'sntryu_{h64}', 'sentry_auth_token'],
  ['posthog', 'phx_{A43}', 'posthog_key'],
  ['langsmith', 'lsv2_pt_{h32}_{h10}', 'langsmith_api_key'],
  ['azure-client', '{A3}8Q~{U34}', 'azure_client_secret'],
  ['json-web-token', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{U60-140}.{U43}', 'id_token'],
].map(([id, template, name]) => ({ id, template, name, knownByFormat: true }));

/** Keys that are only random characters: only the name before them shows that they are secrets. */
const PLAIN_FORMATS = [
  ['aws-secret', '{B40}', 'aws_secret_access_key'],
  ['azure-storage', '{B86}==', 'account_key'],
  ['datadog', '{h32}', 'dd_api_key'],
  ['cloudflare', '{A1}{U39}', 'cloudflare_api_token'],
  ['twilio', '{h32}', 'twilio_auth_token'],
  ['algolia', '{h32}', 'algolia_api_key'],
  ['okta', '00{U40}', 'okta_api_token'],
  ['circleci', '{h40}', 'circle_token'],
  ['fastly', '{A1}{U31}', 'fastly_api_token'],
  ['heroku', '{h8}-{h4}-{h4}-{h4}-{h12}', 'heroku_api_key'],
  ['rollbar', '{h32}', 'rollbar_access_token'],
  ['pagerduty', '{A1}{U19}', 'pagerduty_api_key'],
].map(([id, template, name]) => ({ id, template, name, knownByFormat: false }));

export const FORMATS = [...RECOGNISABLE_FORMATS, ...PLAIN_FORMATS];

/** Replaces the placeholders of a template by random characters. */
export function fill(template, random) {
  return template.replace(PLACEHOLDER, (_placeholder, name, least, most) =>
    random.text(CHARACTER_CLASSES[name], random.between(Number(least), Number(most ?? least))),
  );
}
