import { isDeepStrictEqual } from 'node:util'
import type { NoticeState } from '../contract.ts'
import { decideNotices } from '../decide/notices.ts'
import type { EngineContext } from './context.ts'

const LOOK_MS = 2000

/** Creates the loop step that writes webhook events for the operator when blockers begin and end. */
export function createNotifier({
  store,
  blockers,
  clock
}: Pick<EngineContext, 'store' | 'blockers' | 'clock'>): () => Promise<number> {
  let known: NoticeState[] | undefined

  return async () => {
    // The store cannot be written now.
    if (blockers.has('store-unavailable')) return LOOK_MS
    known ??= await store.notices()
    const { state, notices } = decideNotices(known, blockers.present, clock.now())
    if (!isDeepStrictEqual(state, known)) await store.putNotices(state, notices)
    known = state
    return LOOK_MS
  }
}
