import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import { FormatRegistry, type StringOptions, Type } from '@sinclair/typebox'
import { riskScores } from '../schemas/compliance.ts'
import { family, shortNames } from '../services/chains/families.ts'
import { parseOriginPattern } from '../services/http/origins.ts'
import { literals } from '../services/schema-check.ts'
import { DATABASE_URL_FORM } from '../services/submission/store/postgres/database-url.ts'
import { MNEMONIC_FORM } from '../services/wallet/mnemonic.ts'
import { webhookKey } from '../services/webhooks/signature.ts'

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

/** The non-secret variables (interface 1.10). `expected` completes the startup error for an invalid value. */
export const SettingsSchema = Type.Object({
  SERVICE_ENVIRONMENT: choice(['mainnet', 'testnet']),
  NODE_ENV: choice(['development', 'production', 'test']),
  DOMAIN: Type.Array(Type.String({ format: 'origin' }), {
    minItems: 1,
    expected: 'origins such as https://shop.example, separated by commas, without paths'
  }),

  SERVICE_FEE_API: choice(['v2', 'v3'], 'v2'),
  SERVICE_BACKEND_FEE_PATH: Type.Optional(
    text('an absolute path such as /v2/fees/calculate', { pattern: '^/[^\\s?#]*$' })
  ),
  SERVICE_QUOTE_CHECK: Type.Optional(choice(['known', 'required', 'off'])),
  SERVICE_APPROVAL_CHECK: Type.Optional(choice(['off', 'observe', 'enforce'])),

  SERVICE_ACCESS: choice(['public', 'keys', 'both'], 'public'),
  SERVICE_AUDIT_FILE: Type.Optional(text('the path of a file')),
  SERVICE_API_KEYS_FILE: Type.Optional(text('the path of a file with API keys')),

  SERVICE_BRAND: text('2 to 16 lower-case letters and digits, starting with a letter', {
    pattern: '^[a-z][a-z0-9]{1,15}$',
    default: 'service'
  }),
  SERVICE_CHAIN_PREFIX: Type.Optional(
    text('a bech32 prefix of lower-case letters and digits', { pattern: '^[a-z][a-z0-9]{0,82}$' })
  ),
  SERVICE_CHAIN_DENOM: Type.Optional(
    text('a denomination of 3 to 128 characters, starting with a letter', {
      pattern: '^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$'
    })
  ),
  SERVICE_CHAIN_API_PATH: Type.Optional(
    text('an absolute path without a trailing slash', { pattern: '^(/[A-Za-z0-9._~-]+)+$' })
  ),

  SERVICE_EXPLORER: Type.Optional(
    text('an http(s) URL without credentials and query', { format: 'public-url' })
  ),
  PAYMENT_PARTNER_ID: Type.Optional(text('the id given by the payment partner')),
  SERVICE_COMPLIANCE_ACCEPT: Type.Array(choice(riskScores), {
    minItems: 1,
    uniqueItems: true,
    default: ['low'],
    expected: `risk scores of ${riskScores.join(', ')}, separated by commas, each once`
  }),
  SERVICE_CHAIN_FILTER: Type.Optional(
    Type.Object(
      { origin: Type.Optional(filterSide), target: Type.Optional(filterSide) },
      {
        additionalProperties: false,
        minProperties: 1,
        expected:
          'a JSON object with `origin`, `target` or both, each {"mode": "whitelist" or "blacklist", "chains": ' +
          `[short names]}; the short names are ${shortNames.join(', ')}`
      }
    )
  ),
  SERVICE_CUSTOM_PLUGIN: Type.Optional(text('the path of a module')),
  SERVICE_INTAKE: choice(['open', 'closed'], 'open'),
  SERVICE_SIGNER: choice(['mnemonic', 'aws-kms', 'gcp-kms', 'module'], 'mnemonic'),
  SERVICE_SIGNER_KEY: Type.Optional(
    text('the id or ARN of a key, or the name of a key version', { pattern: '^[\\w:/.-]+$' })
  ),
  SERVICE_SIGNER_URL: Type.Optional(
    text('an http(s) URL without credentials and query', { format: 'public-url' })
  ),
  SERVICE_SIGNER_MODULE: Type.Optional(text('the path of a module')),
  SERVICE_SIGNER_ADDRESS: Type.Optional(
    text('the bech32 address of the wallet', { pattern: '^[a-z][a-z0-9]{0,82}1[02-9ac-hj-np-z]{38}$' })
  ),
  SERVICE_DATA_DIR: text('the path of a folder', { default: './data' }),

  SERVICE_RESPONSE_FORMAT: choice(['documented', 'widget'], 'documented'),
  SERVICE_GAS_PRICE: text('a decimal number such as 0.025, at most 18 fraction digits', {
    pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$',
    default: '0.025'
  }),
  SERVICE_GAS_MULTIPLIER: text('a decimal number from 1 to 10', {
    pattern: '^([1-9](\\.[0-9]{1,18})?|10(\\.0{1,18})?)$',
    default: '1.5'
  }),
  SERVICE_MAX_MESSAGE_GAS: wholeNumber(100_000, 1_000_000_000, 2_000_000),
  SERVICE_MAX_TRANSACTION_GAS: wholeNumber(100_000, 1_000_000_000, 25_000_000),
  SERVICE_MAX_GAS_PRICE_FACTOR: wholeNumber(1, 100, 5),
  SERVICE_LOW_BALANCE: Type.Optional(baseUnits()),
  SERVICE_DAILY_FEE_LIMIT: Type.Optional(baseUnits()),
  SERVICE_SUBMIT_TIMEOUT: wholeNumber(0, 600_000, 50_000),
  SERVICE_RETENTION_DAYS: wholeNumber(0, 36_500, 90),
  SERVICE_LOOK_BACK_BLOCKS: wholeNumber(0, 100_000_000, 50_000),

  HOST: text('a host name or an address', { pattern: '^[^\\s/]+$', default: '0.0.0.0' }),
  PORT: wholeNumber(0, 65_535, 3001),
  METRICS_PORT: Type.Optional(wholeNumber(0, 65_535)),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  RATE_LIMIT_MAX: wholeNumber(1, 1_000_000, 300),
  RATE_LIMIT_WINDOW: wholeNumber(1, 86_400_000, 60_000),
  TRUST_PROXY: Type.Union(
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
})

/**
 * The secrets (interface 1.6). A variable with the suffix `_FILE` reads a secret from a file (interface 1.18). They
 * include the upstream URLs, which can contain credentials (interface 1.9).
 */
export const SecretsSchema = Type.Object({
  SERVICE_BACKEND_NODE_PROVIDER: Type.Array(url(), {
    minItems: 1,
    uniqueItems: true,
    expected: 'http(s) URLs without a fragment, separated by commas, each once'
  }),
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: url(),
  SERVICE_BACKEND_MNEMONIC: text(MNEMONIC_FORM),
  SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: Type.Optional(url()),
  SERVICE_BACKEND_FEE_URL: Type.Optional(url()),
  SERVICE_EVM_RPC: Type.Optional(
    Type.Record(Type.String({ pattern: `^(${evmNames.join('|')})$` }), url(), {
      additionalProperties: false,
      minProperties: 1,
      expected:
        'a JSON object of EVM chains, each short name with the http(s) URL of an RPC without a fragment; the short names ' +
        `are ${evmNames.join(', ')}`
    })
  ),
  COMPLIANCE_URL: Type.Optional(url()),
  KYC_URL: Type.Optional(
    text(`${URL_FORM} and without credentials; use KYC_API_KEY instead`, {
      format: 'url-without-credentials'
    })
  ),
  KYC_API_KEY: Type.Optional(text('the key given by the KYC provider')),
  DATABASE_URL: Type.Optional(text(DATABASE_URL_FORM)),
  SERVICE_WEBHOOK_URL: Type.Optional(text(URL_FORM, { format: 'webhook' })),
  SERVICE_WEBHOOK_SECRET: Type.Optional(
    Type.Array(Type.String({ format: 'webhook-secret' }), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      expected: '`whsec_` and the base64 of 24 to 64 random bytes, or two of these separated by a comma'
    })
  )
})

export const ConfigSchema = Type.Object({ ...SettingsSchema.properties, ...SecretsSchema.properties })

export const secretNames = Object.keys(SecretsSchema.properties)
export const fileVariable = (name: string) => `${name}_FILE`
