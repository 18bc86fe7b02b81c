import type { Test } from 'tap'
import { openPostgresStore } from '../../../../../services/submission/store/postgres/index.ts'
import { keepingLog } from '../../../../helpers/keeping-log.ts'
import { addressOf } from '../../../../helpers/postgres.ts'
import { fee, request, WALLET_STATE } from '../../store-data.ts'

/** Opens a replica's store. It closes when the test ends. */
export async function openReplica(t: Test, url: string, options: { owner?: string; startMs?: number } = {}) {
  const { log } = keepingLog()
  const { address: owner } = WALLET_STATE
  const store = await openPostgresStore({ address: addressOf(url), owner, log, ...options })
  t.teardown(() => store.close())
  return store
}

let requests = 0

/** Creates a request with these identities and a new id. */
export const requestOf = (content: string, ...fees: string[]) =>
  request(`${++requests}`, content, fees.map(fee))
