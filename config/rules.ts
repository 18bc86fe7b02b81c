import { compile } from '@fastify/proxy-addr'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { problem } from '../services/config-error.ts'
import { type Given, variableNames } from './read.ts'
import { ConfigSchema } from './schema.ts'

export type Values = { readonly [Name in keyof Static<typeof ConfigSchema>]?: unknown }

type Line = Parameters<typeof problem>

/** Returns the problems with values that are valid individually but conflict. */
export function contradictions(values: Values): string[] {
  const { DOMAIN, METRICS_PORT: metricsPort = 0, PORT, SERVICE_WEBHOOK_URL } = values
  const domain = Value.Check(ConfigSchema.properties.DOMAIN, DOMAIN) ? DOMAIN : []
  const strict = whyStrict(values)
  const isStrict = strict !== undefined
  const isAny = domain.includes('*')
  // Parse the URL, because the URL parser ignores control characters before and in the scheme.
  const webhookUrl = String(SERVICE_WEBHOOK_URL)
  const isPlain = URL.canParse(webhookUrl) && new URL(webhookUrl).protocol === 'http:'
  const proxies = 'the number of proxies, or their addresses and CIDR ranges separated by commas'
  const missing = (
    variable: keyof Values,
    isNeeded: boolean,
    reason: string,
    expected: string = ConfigSchema.properties[variable]['expected']
  ): [boolean, ...Line] => [
    isNeeded && values[variable] === undefined,
    variable,
    `is missing while ${reason}`,
    expected
  ]
  const paired = (variable: keyof Values, other: keyof Values) =>
    missing(variable, values[other] !== undefined, `${other} is set`, 'both or neither')
  const { SERVICE_SIGNER: signer, SERVICE_ACCESS: access = 'public' } = values
  const rules: [isBroken: boolean, ...Line][] = [
    [isStrict && isAny, 'DOMAIN', `is \`*\` while ${strict}`, 'a list of origins'],
    [
      isAny && domain.length > 1,
      'DOMAIN',
      'lists `*` along with other origins',
      'either `*` or a list of origins'
    ],
    [isStrict && values.TRUST_PROXY === true, 'TRUST_PROXY', `is true while ${strict}`, proxies],
    [trustsEverybody(values.TRUST_PROXY), 'TRUST_PROXY', 'trusts every network', proxies],
    missing('SERVICE_API_KEYS_FILE', access === 'keys' || access === 'both', `SERVICE_ACCESS is ${access}`),
    paired('KYC_API_KEY', 'KYC_URL'),
    paired('KYC_URL', 'KYC_API_KEY'),
    paired('SERVICE_WEBHOOK_SECRET', 'SERVICE_WEBHOOK_URL'),
    paired('SERVICE_WEBHOOK_URL', 'SERVICE_WEBHOOK_SECRET'),
    missing('SERVICE_SIGNER_ADDRESS', signer !== undefined, 'SERVICE_SIGNER is set'),
    [isStrict && isPlain, 'SERVICE_WEBHOOK_URL', `is not https while ${strict}`, 'an https URL'],
    [
      metricsPort !== 0 && metricsPort === PORT,
      'METRICS_PORT',
      'is the same as PORT',
      'another port, or none'
    ]
  ]
  return rules.flatMap(([isBroken, ...line]) => (isBroken ? problem(...line) : []))
}

const FAR_APART = [
  ['9.9.9.9', '193.0.0.1'],
  ['2001:4860::1', '2a00:1450::1']
]

/** Returns whether the trusted ranges are so wide that any client could forge its address. */
function trustsEverybody(proxies: unknown): boolean {
  if (!Array.isArray(proxies) || !Value.Check(ConfigSchema.properties.TRUST_PROXY, proxies)) return false
  const trusts = compile(proxies)
  return FAR_APART.some(addresses => addresses.every(address => trusts(address, 0)))
}

/** Returns why the production rules apply (interface 1.23), if they do. */
function whyStrict({ NODE_ENV, SERVICE_ENVIRONMENT }: Values): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production'
  return SERVICE_ENVIRONMENT === 'mainnet' ? 'SERVICE_ENVIRONMENT is mainnet' : undefined
}

/** Returns the variables that make submission checks weaker than the mainnet defaults (interface 1.24). */
export function weakenedChecks(values: Values): string[] {
  if (values.SERVICE_ENVIRONMENT !== 'mainnet') return []
  return [
    ...(values.SERVICE_QUOTE_CHECK === 'required' ? [] : ['SERVICE_QUOTE_CHECK']),
    ...(values.SERVICE_APPROVAL_CHECK === 'enforce' ? [] : ['SERVICE_APPROVAL_CHECK'])
  ]
}

/** Returns the unknown variables that start with `SERVICE_` (interface 1.19). */
export function unknownVariables(given: Given): string[] {
  return Object.keys(given)
    .filter(name => name.startsWith('SERVICE_') && !variableNames.includes(name))
    .sort()
}
