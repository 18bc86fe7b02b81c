import type { Test } from 'tap'
import { openPostgresStore } from '../../../services/submission/store/postgres/index.ts'
import { keepingLog } from '../keeping-log.ts'
import { WALLET_STATE } from '../store-data.ts'
import { addressOf } from './index.ts'

/** Address of the replicas' wallet. */
const OWNER = WALLET_STATE.address

type Opening = Parameters<typeof openPostgresStore>[0]

/** Opens a replica's store. It closes when the test ends. */
export async function openReplica(
  t: Test,
  url: string,
  options: Partial<Pick<Opening, 'owner' | 'startMs'>> = {}
) {
  const { owner = OWNER, ...rest } = options
  const { log } = keepingLog()
  const store = await openPostgresStore({ address: addressOf(url), owner, log, ...rest })
  t.teardown(() => store.close())
  return store
}

let requests = 0

/** Creates a request with these identities and a new id. */
export function requestOf(content: string, ...fees: string[]) {
  requests += 1
  return {
    submissionId: `id-${requests}`,
    identities: fees.map(value => ({ kind: 'fee', value }) as const),
    typeUrl: '/example.Msg',
    message: new TextEncoder().encode(content)
  }
}
