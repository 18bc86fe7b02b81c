import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { problem } from './problems.ts'
import { ConfigSchema } from './schema.ts'

/** The variables as read, before they are checked. */
export type Values = { readonly [Name in keyof Static<typeof ConfigSchema>]?: unknown }

/** Finds values that are valid alone and wrong together. */
export function contradictions(values: Values): string[] {
  const lines: string[] = []
  const { DOMAIN } = values
  const domain = Value.Check(ConfigSchema.properties.DOMAIN, DOMAIN) ? DOMAIN : []
  const strict = whyStrict(values)
  if (domain.includes('*') && strict) {
    lines.push(problem('DOMAIN', `is \`*\` while ${strict}`, 'a list of origins'))
  }
  if (domain.includes('*') && domain.length > 1) {
    lines.push(problem('DOMAIN', 'lists `*` beside other origins', 'either `*` or a list of origins'))
  }
  if (values.TRUST_PROXY === true && strict) {
    const expected = 'how many proxies there are, or their addresses and CIDR ranges separated by commas'
    lines.push(problem('TRUST_PROXY', `is true while ${strict}`, expected))
  }
  if (values.KYC_URL !== undefined && values.KYC_API_KEY === undefined) {
    lines.push(problem('KYC_API_KEY', 'is missing while KYC_URL is set', 'both or neither'))
  }
  if (values.KYC_API_KEY !== undefined && values.KYC_URL === undefined) {
    lines.push(problem('KYC_URL', 'is missing while KYC_API_KEY is set', 'both or neither'))
  }
  if (values.SERVICE_WEBHOOK_URL !== undefined && values.SERVICE_WEBHOOK_SECRET === undefined) {
    const wrong = 'is missing while SERVICE_WEBHOOK_URL is set'
    lines.push(problem('SERVICE_WEBHOOK_SECRET', wrong, 'both or neither'))
  }
  if (values.SERVICE_WEBHOOK_SECRET !== undefined && values.SERVICE_WEBHOOK_URL === undefined) {
    const wrong = 'is missing while SERVICE_WEBHOOK_SECRET is set'
    lines.push(problem('SERVICE_WEBHOOK_URL', wrong, 'both or neither'))
  }
  // Not by the text: a URL may have control characters before and within its scheme, which are dropped.
  const webhookUrl = String(values.SERVICE_WEBHOOK_URL)
  const isPlain = URL.canParse(webhookUrl) && new URL(webhookUrl).protocol === 'http:'
  if (isPlain && strict) {
    lines.push(problem('SERVICE_WEBHOOK_URL', `is not https while ${strict}`, 'an https URL'))
  }
  if (values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT) {
    lines.push(problem('METRICS_PORT', 'is the same as PORT', 'another port, or none'))
  }
  return lines
}

/** What makes the rules for production apply (interface 1.23). Undefined where they do not. */
function whyStrict({ NODE_ENV, SERVICE_ENVIRONMENT }: Values): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production'
  return SERVICE_ENVIRONMENT === 'mainnet' ? 'SERVICE_ENVIRONMENT is mainnet' : undefined
}
