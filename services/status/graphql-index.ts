import { Type } from '@sinclair/typebox'
import type { RecordField, StatusResource } from '../../schemas/record-fields.ts'
import { checkFor } from '../schema-check.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'
import { readRecord, type StatusRecord } from './record.ts'

/** The timeout of a query, short because the REST API is queried afterwards (interface 19.1). */
const TIMEOUT_MS = 2_000

const Records = Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())))
const IndexResponse = checkFor(
  Type.Object({
    data: Type.Optional(Type.Union([Type.Null(), Records])),
    errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() })))
  })
)

/** Reads the chain's GraphQL index (interface 9.10). The index lags slightly behind the chain. */
export function createGraphqlIndex(url: string, observe?: UpstreamObserver) {
  const upstream = createUpstream({ name: 'GraphQL index', baseUrl: url, timeoutMs: TIMEOUT_MS, observe })

  return {
    /** @returns undefined if the index has no such record @throws UpstreamError, UpstreamTimeoutError */
    async find(resource: StatusResource, txId: string): Promise<StatusRecord | undefined> {
      const request = { query: queryFor(resource), variables: { txId } }
      const { data, errors } = await upstream.post('', request, IndexResponse)
      const records = data?.[resource.root]
      if (errors?.[0] !== undefined || records === undefined) {
        throw upstream.fault(errors?.[0]?.message ?? `no ${resource.root} in the response`)
      }
      const [record] = records
      const pick = ({ name, indexed }: RecordField) => (indexed ? record?.[name] : undefined)
      return record && readRecord(resource, txId, pick, upstream.name)
    },

    close: upstream.close
  }
}

function queryFor({ root, fields }: StatusResource): string {
  const selected = fields.filter(({ indexed }) => indexed).map(({ name }) => name)
  return `query status($txId: String) {
  ${root}(where: { tx_id: { _eq: $txId } }, limit: 1) { ${selected.join(' ')} }
}`
}
