import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import { FormatRegistry, type StringOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { family, shortNames } from '../services/chains/families.ts'
import { parseOriginPattern } from '../services/http/origins.ts'
import { literals } from '../services/schema-check.ts'
import { MNEMONIC_FORM } from '../services/wallet/mnemonic.ts'
import { SIGNER_FORM, signerKind } from '../services/wallet/signer-kind.ts'
import { webhookKey } from '../services/webhooks/signature.ts'
import { DATABASE_URL_FORM } from './database-url.ts'

/** Returns whether a string is an http(s) URL without a fragment and without any of the given parts. */
function isUrl(text: string, ...without: ('username' | 'password' | 'search')[]): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && [...without, 'hash' as const].every(part => url[part] === '')
}

/** Returns whether a string is an address, a CIDR range or a named range. proxy-addr would also parse plain numbers. */
function isProxyEntry(text: string): boolean {
  try {
    compile(text)
  } catch {
    return false
  }
  const [address = ''] = text.split('/')
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isIP(address) !== 0
}

// The service appends paths to URLs whose format ends in `-url`, so `read.ts` removes their trailing slashes.
FormatRegistry.Set('base-url', text => isUrl(text))
FormatRegistry.Set('url-without-credentials', text => isUrl(text, 'username', 'password'))
FormatRegistry.Set('public-url', text => isUrl(text, 'username', 'password', 'search'))
FormatRegistry.Set('webhook', text => isUrl(text))
FormatRegistry.Set('webhook-secret', text => webhookKey(text) !== undefined)
FormatRegistry.Set('origin', text => text === '*' || parseOriginPattern(text) !== undefined)
FormatRegistry.Set('proxy', isProxyEntry)
FormatRegistry.Set('signer', text => signerKind(text) !== undefined)

/**
 * Describes a setting for the documentation.
 * @param texts a value for `.env.sample`, if there is no default, and a default that depends on other settings
 */
const about = <T extends TSchema>(description: string, setting: T, ...[example, derived]: string[]): T =>
  Object.assign(setting, { description, example, derived })

const optional = <T extends TSchema>(description: string, setting: T, ...texts: string[]) =>
  Type.Optional(about(description, setting, ...texts))

const text = (expected: string, options: StringOptions = {}) =>
  Type.String({ minLength: 1, expected, ...options })

const URL_FORM = 'an http(s) URL without a fragment'
const url = () => text(URL_FORM, { format: 'base-url' })

const wholeNumber = (minimum: number, maximum: number, preset?: number) =>
  Type.Integer({
    minimum,
    maximum,
    expected: `a whole number from ${minimum} to ${maximum}`,
    ...(preset !== undefined && { default: preset })
  })

const baseUnits = () =>
  text('a whole number of base units above zero, at most 38 digits', { pattern: '^[1-9][0-9]{0,37}$' })

const choice = <const T extends string>(values: readonly T[], preset?: T) =>
  literals(values, {
    expected: `one of ${values.join(', ')}`,
    ...(preset !== undefined && { default: preset })
  })

const filterSide = Type.Object(
  { mode: choice(['whitelist', 'blacklist']), chains: Type.Array(choice(shortNames), { minItems: 1 }) },
  { additionalProperties: false }
)

const evmNames = shortNames.filter(name => family(name) === 'EVM')

function section<T extends TProperties>(title: string, settings: T): T {
  for (const setting of Object.values(settings)) setting['section'] = title
  return settings
}

/**
 * All settings, in the order of the documentation. `expected` completes the startup error for an invalid value, and
 * `npm run settings` writes `.env.sample` and `docs/settings.md` from the rest.
 */
export const ConfigSchema = Type.Object({
  ...section('Required', {
    NODE_ENV: about(
      '`production`, except on your own machine. With `development`, `/docs` is public; on testnet, `/playground` is public too, and every web page can use the service.',
      choice(['development', 'production', 'test']),
      'production'
    ),
    SERVICE_ENVIRONMENT: about(
      'The networks that the service uses, which must match the nodes. `mainnet` moves real money: some defaults are stricter, and settings that are too lax, such as a public phrase, `DOMAIN=*` or `TRUST_PROXY=true`, prevent startup.',
      choice(['mainnet', 'testnet']),
      'testnet'
    ),
    DOMAIN: about(
      'Origins of the web pages and apps that may use the service. The scheme defaults to https; apps can have `capacitor` or `ionic`. An entry without a port matches every port of its host. `*` allows every page and is rejected in production and on mainnet. Programs are not affected.',
      Type.Array(Type.String({ format: 'origin' }), {
        minItems: 1,
        expected:
          'origins such as https://shop.example or capacitor://localhost, separated by commas, without paths'
      }),
      'https://shop.example'
    ),
    SERVICE_BACKEND_MNEMONIC: about(
      'Phrase of the signing wallet, which pays the chain’s fees. Use a wallet of its own with funds for a few days; the chain’s operator must whitelist its address. With `SERVICE_SIGNER`, the phrase only creates payment ids: keep it unchanged. Phrases that appear in documents are rejected on mainnet.',
      text(MNEMONIC_FORM),
      ''
    ),
    SERVICE_BACKEND_NODE_PROVIDER: about(
      'CometBFT RPC URLs, the preferred one first. Use at least two nodes of different operators. They must store block results, and keep blocks for longer than your longest downtime.',
      Type.Array(url(), {
        minItems: 1,
        uniqueItems: true,
        expected: 'http(s) URLs without a fragment, separated by commas, each once'
      }),
      'https://rpc.example,https://rpc-2.example'
    ),
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: about(
      'Base URL of the chain’s REST API. Only one URL is possible, so choose a reliable one.',
      url(),
      'https://api.example'
    )
  }),

  ...section('Chain', {
    SERVICE_BRAND: about(
      'The brand in the chain’s names. With the wrong brand every submission fails, because the chain does not know the message types.',
      text('2 to 16 lower-case letters and digits, starting with a letter', {
        pattern: '^[a-z][a-z0-9]{1,15}$',
        default: 'service'
      })
    ),
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: optional(
      'URL of the chain’s GraphQL index. It serves statuses; without a record or a response from it, the REST API does.',
      url(),
      'https://graphql.example/v1/graphql'
    ),
    SERVICE_BACKEND_FEE_URL: optional(
      'Base URL of the fee service, which may end in the version of its API: `/v2` (the default) or `/v3`. Quotes are requested from `/fees/calculate` below it.',
      url(),
      'https://fees.example/v3',
      'the REST API, version 2'
    ),
    SERVICE_EVM_RPC: optional(
      'RPC URLs of EVM chains, to check that users have approved the pool, and the signatures of contract wallets. With `SERVICE_APPROVAL_CHECK=enforce`, contract wallets on other EVM chains are rejected.',
      Type.Record(Type.String({ pattern: `^(${evmNames.join('|')})$` }), url(), {
        additionalProperties: false,
        minProperties: 1,
        expected:
          'a JSON object of EVM chains, each short name with the http(s) URL of an RPC without a fragment; the short names ' +
          `are ${evmNames.join(', ')}`
      }),
      '{"ETH":"https://eth.example","POL":"https://pol.example"}'
    ),
    BTC_API_URL: optional(
      'Base URL of an Esplora API of Bitcoin, on the network of `SERVICE_ENVIRONMENT`, for the routes under `/btc` and for transfers from `BTC`, which are not available without it. The service trusts its confirmations: use your own API, or one that you trust.',
      url(),
      'https://esplora.example/api'
    ),
    BTC_CONFIRMATIONS: about(
      'Blocks that must confirm a lock of bitcoins before it counts. With 1, a reorganisation of the newest block can undo a payment that the pool has already made.',
      wholeNumber(1, 24, 3)
    )
  }),

  ...section('Wallet and fees', {
    SERVICE_SIGNER: optional(
      'The signer to use instead of the phrase’s key, so that nobody can copy the key: a key in AWS or Google Cloud KMS, or a module of your own (docs/examples/signer/README.md), whose code runs inside the service. A URL before the name of a Google key, as in `https://kms.example/projects/…`, replaces the public endpoint. See docs/configuration.md#a-key-service.',
      text(SIGNER_FORM, { format: 'signer' }),
      'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
    ),
    SERVICE_SIGNER_ADDRESS: optional(
      'Address of the wallet; a signer with another key prevents startup. Required with `SERVICE_SIGNER`, and if the chain’s addresses do not begin with the brand; useful with a phrase too.',
      text('the bech32 address of the wallet', { pattern: '^[a-z][a-z0-9]{0,82}1[02-9ac-hj-np-z]{38}$' }),
      'service1am058pdux3hyulcmfgj4m3hhrlfn8nzm0f2q4q'
    ),
    SERVICE_GAS_PRICE: about(
      'Price per unit of gas: the chain’s usual minimum. The denomination is `u` and the brand in upper case, unless it follows the number, as in `0.025uSERVICE`. If nodes require more, the service pays up to five times as much, so a low value costs time, not money.',
      text('a decimal number such as 0.025, at most 18 fraction digits, with or without a denomination', {
        pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?([a-zA-Z][a-zA-Z0-9/:._-]{2,127})?$',
        default: '0.025'
      })
    ),
    SERVICE_DAILY_FEE_LIMIT: optional(
      'Maximum fees per UTC day, in base units. Once it is reached, nothing is signed or accepted until midnight UTC. Set it to a few times the fees of a usual day: it limits the cost of an attacker, a broken client or lying nodes. If it is set, the service also warns while the wallet’s balance is below it.',
      baseUnits(),
      '250000000',
      '10,000,000,000 times `SERVICE_GAS_PRICE`'
    )
  }),

  ...section('Store', {
    SERVICE_DATA_DIR: about(
      'Folder of the embedded store: on a local disk that outlives the process and the machine, not on a network file system. Not used with `DATABASE_URL`.',
      text('the path of a folder', { default: './data' })
    ),
    DATABASE_URL: optional(
      'A PostgreSQL database (15 or later) instead of the embedded store, for several servers or wallets. Unless its host is in a private network, its certificate is verified by default (`sslmode=verify-full`). See docs/configuration.md#a-database.',
      text(DATABASE_URL_FORM),
      'postgres://user:password@localhost:5432/transactions'
    ),
    SERVICE_RETENTION_DAYS: about(
      'Days after which a settled submission is deleted; 0 keeps all. Keep them for longer than any client retries, because a later retry is executed again.',
      wholeNumber(0, 36_500, 90)
    ),
    SERVICE_INTAKE: about(
      '`closed` accepts no new submissions and settles the accepted ones, before another wallet takes over (docs/procedures.md#wallet-hand-over).',
      choice(['open', 'closed'], 'open')
    )
  }),

  ...section('What is accepted', {
    SERVICE_MIN_VERSION: about(
      'Oldest version of the interface in which a submission may be sent. Choose `1.5` once no client sends bodies of version 1.4 (docs/migration.md).',
      choice(['1.4', '1.5'], '1.4')
    ),
    SERVICE_SHADOW: about(
      '`true` only checks copies of another back end’s submissions, and reports how it would have responded: no submission is stored, signed or sent (docs/migration.md#shadow-mode). Quotes are then checked as with `SERVICE_QUOTE_CHECK=known`.',
      Type.Boolean({ expected: 'true or false', default: false })
    ),
    SERVICE_QUOTE_CHECK: optional(
      'How a submission is compared with its quote: a known quote must match, every submission needs a quote from this service, or not at all (docs/integrity.md).',
      choice(['known', 'required', 'off']),
      'known',
      '`required` on mainnet, otherwise `known`'
    ),
    SERVICE_APPROVAL_CHECK: optional(
      'How the payer’s signature is checked: not at all, only logged, or required. Without `off`, the approval of the pool is required on chains in `SERVICE_EVM_RPC` (docs/integrity.md).',
      choice(['off', 'observe', 'enforce']),
      'observe',
      '`enforce` on mainnet, otherwise `observe`'
    ),
    SERVICE_CHAIN_FILTER: optional(
      'Chains from which users can pay (`origin`) and on which they can be paid (`target`). Others are hidden and rejected. A missing side is not filtered. See docs/payments.md#restricting-the-chains.',
      Type.Object(
        { origin: Type.Optional(filterSide), target: Type.Optional(filterSide) },
        {
          additionalProperties: false,
          minProperties: 1,
          expected:
            'a JSON object with `origin`, `target` or both, each {"mode": "whitelist" or "blacklist", "chains": ' +
            `[short names]}; the short names are ${shortNames.join(', ')}`
        }
      ),
      '{"origin":{"mode":"blacklist","chains":["CC"]},"target":{"mode":"whitelist","chains":["ETH","SOL"]}}'
    ),
    SERVICE_CUSTOM_PLUGIN: optional(
      'Module with your own validation, absolute or relative to the working directory (docs/examples/custom-validation/README.md). Its code runs inside the service: review it like your own.',
      text('the path of a module'),
      './plugin.mjs'
    ),
    COMPLIANCE_URL: optional(
      'Compliance provider, which checks the addresses of each submission (docs/providers.md): only those with the risk score `low` are accepted. While it fails, no submission is.',
      url(),
      'https://compliance.example'
    ),
    SERVICE_ACCESS: about(
      'Who may submit: everybody, only callers with an API key, or both. With `keys`, nobody else can make the wallet pay fees.',
      choice(['public', 'keys', 'both'], 'public')
    ),
    SERVICE_API_KEYS_FILE: optional(
      'File with the callers and the hashes of their keys, created with `submissions keys create`. Give each caller only the scopes that it needs, a quota and an expiry date.',
      text('the path of a file with API keys'),
      '/etc/transaction-back-end/api-keys.json'
    )
  }),

  ...section('KYC, webhooks and the widget', {
    KYC_URL: optional(
      'KYC provider (docs/providers.md). Set it together with `KYC_API_KEY`.',
      text(`${URL_FORM} and without credentials; use KYC_API_KEY instead`, {
        format: 'url-without-credentials'
      }),
      'https://kyc.example'
    ),
    KYC_API_KEY: optional(
      'Key for the KYC provider. It gives access to the verification data of your users.',
      text('the key given by the KYC provider', { pattern: '^[ -~]+$' }),
      'your-key'
    ),
    SERVICE_WEBHOOK_URL: optional(
      'URL in your own back end, which gets a webhook for each new result (docs/events-and-webhooks.md). It is used unchanged, and must be https in production and on mainnet. Set it together with `SERVICE_WEBHOOK_SECRET`.',
      text(URL_FORM, { format: 'webhook' }),
      'https://shop.example/webhooks'
    ),
    SERVICE_WEBHOOK_SECRET: optional(
      'Secret that signs webhooks. Create it with `echo "whsec_$(openssl rand -base64 32)"`. During a rotation, set both secrets.',
      Type.Array(Type.String({ format: 'webhook-secret' }), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        expected: '`whsec_` and the base64 of 24 to 64 random bytes, or two of these separated by a comma'
      }),
      'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
    ),
    SERVICE_RESPONSE_FORMAT: about(
      'Format of quotes, statuses and results: `widget` for widgets from version 1.5 on, `documented` for all other clients.',
      choice(['documented', 'widget'], 'documented')
    ),
    SERVICE_EXPLORER: optional(
      'URL of the block explorer, for the widget. Visible to everyone in `/chains/env`.',
      text('an http(s) URL without credentials or query', { format: 'public-url' }),
      'https://explorer.example'
    ),
    PAYMENT_PARTNER_ID: optional(
      'Card payment id, for the widget. Visible to everyone in `/chains/env`.',
      text('the id given by the payment partner'),
      'partner-1'
    )
  }),

  ...section('Server', {
    HOST: about(
      'Address to listen on. Only the reverse proxy, where TLS ends, should be able to connect.',
      text('a host name or an address', { pattern: '^[^\\s/]+$', default: '0.0.0.0' })
    ),
    PORT: about('Port to listen on.', wholeNumber(0, 65_535, 3001)),
    METRICS_PORT: optional(
      'Separate port for `/metrics`, to which only Prometheus should be able to connect. Without it, `/metrics` is on `PORT` on testnet, and nowhere on mainnet.',
      wholeNumber(0, 65_535),
      '9464'
    ),
    TRUST_PROXY: about(
      'Whose `X-Forwarded-For` is trusted: set the address of the reverse proxy, or the number of proxies. With `false`, all clients behind the proxy share one limit; with too much trust, clients can choose their address. `true` is rejected in production and on mainnet.',
      Type.Union(
        [
          Type.Boolean(),
          Type.Integer({ minimum: 1, maximum: 10 }),
          Type.Array(Type.String({ format: 'proxy' }), { minItems: 1 })
        ],
        {
          default: false,
          expected:
            'the number of proxies (at most 10), their addresses and CIDR ranges separated by commas, true or false'
        }
      )
    ),
    RATE_LIMIT_MAX: about(
      'Requests per minute of a client. A widget makes about 10 requests per transfer and one per second while it polls. Users behind one address share the limit.',
      wholeNumber(1, 100_000_000, 300)
    ),
    SERVICE_SUBMIT_TIMEOUT: about(
      'How long a submit request waits for the user’s approval and its block, in milliseconds: less than the reverse proxy’s timeout. A lower value causes more polls, but never loses a submission.',
      wholeNumber(0, 600_000, 50_000)
    ),
    LOG_LEVEL: about(
      'Use `debug` and `trace` only briefly: they log more about users.',
      choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info')
    )
  })
})

/** The settings that must stay secret (interface 1.6). They include the upstream URLs, which can contain credentials. */
const SECRETS = [
  'SERVICE_BACKEND_MNEMONIC',
  'SERVICE_BACKEND_NODE_PROVIDER',
  'SERVICE_BACKEND_NODE_PROVIDER_QUERY',
  'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL',
  'SERVICE_BACKEND_FEE_URL',
  'SERVICE_EVM_RPC',
  'BTC_API_URL',
  'DATABASE_URL',
  'COMPLIANCE_URL',
  'KYC_URL',
  'KYC_API_KEY',
  'SERVICE_WEBHOOK_URL',
  'SERVICE_WEBHOOK_SECRET'
] as const

export const SettingsSchema = Type.Omit(ConfigSchema, SECRETS)
export const SecretsSchema = Type.Pick(ConfigSchema, SECRETS)

export const secretNames: readonly string[] = SECRETS
/** Returns the name of the variable that reads a secret from a file (interface 1.18). */
export const fileVariable = (name: string) => `${name}_FILE`
