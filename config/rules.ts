import { compile } from '@fastify/proxy-addr'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { problem } from '../services/config-error.ts'
import { isPublicHost } from '../services/http/public-host.ts'
import { everybodyReads } from '../services/named-file.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/database-url.ts'
import { type Given, variableNames } from './read.ts'
import { ConfigSchema, fileVariable, type SecretsSchema, secretNames } from './schema.ts'

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
  const signerIs = `SERVICE_SIGNER is ${signer}`
  const isKey = signer === 'aws-kms' || signer === 'gcp-kms'
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
    [
      values.SERVICE_WEBHOOKS_FILE !== undefined && SERVICE_WEBHOOK_URL !== undefined,
      'SERVICE_WEBHOOKS_FILE',
      'and SERVICE_WEBHOOK_URL are both set',
      'one of the two'
    ],
    missing('SERVICE_SIGNER_KEY', isKey, signerIs),
    missing('SERVICE_SIGNER_MODULE', signer === 'module', signerIs),
    missing('SERVICE_SIGNER_ADDRESS', isKey || signer === 'module', signerIs),
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
export function whyStrict({ NODE_ENV, SERVICE_ENVIRONMENT }: Values): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production'
  return SERVICE_ENVIRONMENT === 'mainnet' ? 'SERVICE_ENVIRONMENT is mainnet' : undefined
}

/** Returns the variables whose URLs lead to unencrypted connections over public networks (interface 1.21). */
export function unencryptedVariables(
  variables: Static<typeof SecretsSchema> & {
    SERVICE_SIGNER_URL: string | undefined
    SERVICE_WEBHOOKS_FILE: readonly string[]
  },
  database: DatabaseAddress | undefined
): string[] {
  const names = Object.entries(variables)
    .filter(([, value]) =>
      Object.values(typeof value === 'object' ? value : [value ?? '']).some(isPlainAndPublic)
    )
    .map(([name]) => name)
  const isPlain = database !== undefined && database.ssl === false && isPublicHost(database.host ?? '')
  return isPlain ? [...names, 'DATABASE_URL'] : names
}

function isPlainAndPublic(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && isPublicHost(hostname)
}

export function readableSecrets(given: Given): string[] {
  return [...secretNames.map(fileVariable), 'SERVICE_WEBHOOKS_FILE'].filter(name => {
    const path = given[name]
    return path !== undefined && everybodyReads(path)
  })
}

/** Returns the variables that make submission checks weaker than the mainnet defaults (interface 1.24). */
export function weakenedChecks(values: Values): string[] {
  if (values.SERVICE_ENVIRONMENT !== 'mainnet') return []
  return [
    ...(values.SERVICE_QUOTE_CHECK === 'required' ? [] : ['SERVICE_QUOTE_CHECK']),
    ...(values.SERVICE_APPROVAL_CHECK === 'enforce' ? [] : ['SERVICE_APPROVAL_CHECK'])
  ]
}

/** A server must not silently ignore the former names of variables. */
const replaced = {
  SERVICE_ANSWER_FORMAT: 'SERVICE_RESPONSE_FORMAT',
  SERVICE_CHAIN_RPC: 'SERVICE_EVM_RPC',
  SERVICE_STATUS_FORMAT:
    'SERVICE_RESPONSE_FORMAT (`documented` in place of `list`, `widget` in place of `object`)'
}

export function replacedSettings(given: Given): string[] {
  return Object.entries(replaced)
    .filter(([name]) => name in given)
    .map(([name, successor]) => problem(name, 'has been renamed', successor))
}

const OWN_PREFIX = 'SERVICE'

/** Matches variables that, with any prefix, clearly configure a service of this kind. */
const TELLING = /_BACKEND_(MNEMONIC|NODE_PROVIDER)/

/** Returns problems with variables that differ from this service's only in their prefix (interface 1.25). */
export function foreignSettings(given: Given): string[] {
  const suffixes = variableNames
    .filter(name => name.startsWith(`${OWN_PREFIX}_`))
    .map(name => name.slice(OWN_PREFIX.length))
  const found = Object.keys(given)
    .sort()
    .flatMap(name => {
      const suffix = suffixes.find(suffix => name.endsWith(suffix))
      const prefix = suffix === undefined ? '' : name.slice(0, -suffix.length)
      return suffix === undefined || prefix === '' || prefix === OWN_PREFIX ? [] : [{ name, prefix, suffix }]
    })
  const missesEnvironment = !('SERVICE_ENVIRONMENT' in given)
  const prefixes = new Set(
    found
      .filter(({ suffix }) => TELLING.test(suffix) || (missesEnvironment && suffix === '_ENVIRONMENT'))
      .map(({ prefix }) => prefix)
  )
  return found
    .filter(({ prefix, suffix }) => prefixes.has(prefix) && !(OWN_PREFIX + suffix in given))
    .map(({ name, suffix }) =>
      problem(name, 'has the prefix of another service', `the name ${OWN_PREFIX}${suffix}`)
    )
}

/** Matches the variables that orchestrators set for services, whose names can start with `SERVICE_`. */
const SERVICE_LINK = /_SERVICE_HOST$|_PORT(_|$)/

/** Minimum length of the names to compare: a shorter name might be similar to another program's variable. */
const SHORTEST = 8

/** Returns whether a name differs from `right` by one wrong, missing or extra letter, or by two swapped letters. */
function isMisspelt(name: string, right: string): boolean {
  let at = 0
  while (at < name.length && name[at] === right[at]) at += 1
  const [missing, wrong] = [right.slice(at + 1), name.slice(at + 1)]
  const swapped = `${right[at + 1]}${right[at]}${right.slice(at + 2)}`
  return [missing, swapped].includes(name.slice(at)) || [missing, right.slice(at)].includes(wrong)
}

/** Returns the unknown variables that start with `SERVICE_` or look like misspellings of others (interface 1.19). */
export function unknownVariables(given: Given): string[] {
  const others = variableNames.filter(name => name.length >= SHORTEST && !name.startsWith('SERVICE_'))
  const isMeant = (name: string) =>
    name.startsWith('SERVICE_') ? !SERVICE_LINK.test(name) : others.some(other => isMisspelt(name, other))
  return Object.keys(given)
    .filter(name => !variableNames.includes(name) && isMeant(name))
    .sort()
}
