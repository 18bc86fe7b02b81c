import type { Static } from '@sinclair/typebox'
import { isPublicHost } from '../services/http/public-host.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/database-url.ts'
import type { ConfigSchema } from './schema.ts'

/**
 * The variables by which secrets, amounts or results travel over public networks in plain text (interface 1.21).
 * @param database undefined for the embedded store
 */
export function unencryptedVariables(
  values: Static<typeof ConfigSchema>,
  database: DatabaseAddress | undefined
): string[] {
  const urls = {
    SERVICE_BACKEND_NODE_PROVIDER: values.SERVICE_BACKEND_NODE_PROVIDER,
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: [values.SERVICE_BACKEND_NODE_PROVIDER_QUERY],
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: [values.SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL],
    SERVICE_BACKEND_FEE_URL: [values.SERVICE_BACKEND_FEE_URL],
    SERVICE_CHAIN_RPC: Object.values(values.SERVICE_CHAIN_RPC ?? {}),
    COMPLIANCE_URL: [values.COMPLIANCE_URL],
    KYC_URL: [values.KYC_URL],
    SERVICE_WEBHOOK_URL: [values.SERVICE_WEBHOOK_URL]
  }
  const names = Object.entries(urls).flatMap(([name, list]) => (list.some(isPlainAndPublic) ? name : []))
  const isPlain = database !== undefined && database.ssl === false && isPublicHost(database.host ?? '')
  return isPlain ? [...names, 'DATABASE_URL'] : names
}

function isPlainAndPublic(url?: string): boolean {
  if (url === undefined) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isPublicHost(hostname)
}
