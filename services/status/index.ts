import { brandNames } from '../../schemas/brand.ts'
import { type StatusKind, type StatusResource, statusResources } from '../../schemas/record-fields.ts'
import { createLimiter } from '../async/limiter.ts'
import { createPoller, type Poller } from '../async/poller.ts'
import { cachedRead } from '../caches/cached-read.ts'
import { systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import { isFinalStatus } from './final-states.ts'
import { createGraphqlIndex } from './graphql-index.ts'
import { isOlderRecord } from './order.ts'
import { readRecord, type StatusRecord } from './record.ts'

/**
 * The cache of records: polls of the same id share a result, including failures (interface 9.13). A record takes about
 * a kilobyte.
 */
const SHARED = { freshMs: 1_000, keepFailures: true, maxKeys: 10_000 }

/**
 * The maximum number of concurrent polls: half of the connections to the chain's REST API, so that requests never wait
 * for polls.
 */
const MAX_POLLS = 32

/** At most 400 polls per second, for event streams and webhooks together. */
const POLL_GAP_MS = 2.5

export interface FoundRecord {
  kind: StatusKind
  record: StatusRecord
}

export interface StatusService {
  /**
   * Finds the record of a sequential id (interface 9.9, 9.12) in the index, if there is one, or else in the REST API.
   * Queries the upstreams at most once a second per id.
   * @param kind of the route; with `storedKind`, that of transfers finds swaps too (interface 9.16)
   * @param txId digits of a positive integer
   * @returns undefined if the REST API has no such record
   * @throws UpstreamError, UpstreamTimeoutError if the REST API is needed and does not respond; errors of `storedKind`
   */
  find(kind: StatusKind, txId: string): Promise<FoundRecord | undefined>
  /** Finds a record of exactly this kind, once a poll may start. Aborting the signal ends the wait. */
  poll(kind: StatusKind, txId: string, signal?: AbortSignal): Promise<StatusRecord | undefined>
  readonly pollers: Record<StatusKind, Pick<Poller<StatusRecord>, 'watch'>>
  close(): Promise<void>
}

/**
 * @param options.indexUrl URL of the GraphQL index; undefined if there is none
 * @param options.storedKind returns the kind of the submission with this id, if one is stored
 */
export function createStatusService(options: {
  brand: string
  chainApi: Pick<ChainApi, 'name' | 'find'>
  indexUrl: string | undefined
  storedKind?: ((txId: string) => Promise<StatusKind | undefined>) | undefined
  log: Logger
  observe?: UpstreamObserver
}): StatusService {
  const { chainApi, indexUrl, storedKind, log, observe } = options
  const resources = statusResources(brandNames(options.brand))
  const index = indexUrl === undefined ? undefined : createGraphqlIndex(indexUrl, observe)

  async function fromChain(resource: StatusResource, txId: string): Promise<StatusRecord | undefined> {
    const record = await chainApi.find(resource.restPath, txId, resource.restProperty)
    return record && readRecord(resource, txId, ({ restName }) => record[restName], chainApi.name)
  }

  /** Returns undefined if the upstream fails, after logging the failure. */
  const unlessFailing = (reading: Promise<StatusRecord | undefined>, txId: string, consequence: string) =>
    reading.catch(err => {
      if (!(err instanceof UpstreamError)) throw err
      log.warn({ err, txId }, consequence)
      return undefined
    })

  async function read(resource: StatusResource, txId: string): Promise<StatusRecord | undefined> {
    const failing = 'GraphQL index failed; reading the status from the REST API'
    const indexed = index && (await unlessFailing(index.find(resource, txId), txId, failing))
    if (indexed === undefined) return fromChain(resource, txId)
    if (!String(indexed['txstatus']).startsWith('Refund')) return indexed
    // Only the REST API has the hash of a refund. The indexed record is valid without it.
    const message = 'REST API failed; returning the status without the refund hash'
    return (await unlessFailing(fromChain(resource, txId), txId, message)) ?? indexed
  }

  const limit = createLimiter(MAX_POLLS, undefined, { gapMs: POLL_GAP_MS, clock: systemClock })

  function pollerOf(kind: StatusKind): Poller<StatusRecord> {
    const shared = cachedRead(SHARED, txId => read(resources[kind], txId))
    const source = {
      find: async (txId: string) => (await shared(txId)).value,
      isFinal: ({ txstatus }: StatusRecord) => isFinalStatus(txstatus),
      isOlder: isOlderRecord
    }
    return createPoller(`${kind} status`, source, { limit, clock: systemClock, log })
  }
  const pollers: Record<StatusKind, Poller<StatusRecord>> = {
    transfer: pollerOf('transfer'),
    liquidity: pollerOf('liquidity'),
    swap: pollerOf('swap')
  }

  const sharedKind = storedKind && cachedRead(SHARED, storedKind)

  /** Returns the kinds of records that an id of this route can have, in the order in which to read them. */
  async function kindsAt(route: StatusKind, txId: string): Promise<StatusKind[]> {
    if (route !== 'transfer' || sharedKind === undefined) return [route]
    const { value } = await sharedKind(txId)
    return value === undefined ? ['transfer', 'swap'] : [value]
  }

  return {
    async find(route, txId) {
      for (const kind of await kindsAt(route, txId)) {
        const record = await pollers[kind].find(txId)
        if (record !== undefined) return { kind, record }
      }
      return undefined
    },
    poll: (kind, txId, signal) => limit(() => pollers[kind].find(txId), signal),
    pollers,
    async close() {
      await Promise.all(Object.values(pollers).map(({ stop }) => stop()))
      await index?.close()
    }
  }
}
