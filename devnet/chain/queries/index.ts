import type { App } from '../app.ts'
import { sdkError, toAbciError } from '../errors.ts'
import type { StateView } from '../state/state.ts'

/** The answer to an ABCI query. A failed query has a code, a codespace and a log, and an empty value. */
export interface QueryResult {
  code: number
  codespace: string
  log: string
  value: Uint8Array
  height: number
}

/** A query of the chain itself, which needs more than state. @throws AbciError */
export type ChainQuery = (request: Uint8Array) => Uint8Array

/** The state at a requested height; 0 = the newest. @throws AbciError 26 in the future, 18 when not kept */
function stateAt({ store }: App, height: number, newest: number): StateView {
  if (newest === 0) throw sdkError('invalidHeight', 'the chain is not ready; please wait for first block')
  if (height < 0) {
    throw sdkError('invalidRequest', 'cannot query with height < 0; please provide a valid height')
  }
  if (height > newest) {
    throw sdkError('invalidHeight', 'cannot query with height in the future; please provide a valid height')
  }
  const wanted = height || newest
  const state = wanted === store.height ? store : store.at(wanted)
  if (!state) {
    throw sdkError(
      'invalidRequest',
      `failed to load state at height ${height}; version does not exist (latest height: ${newest})`
    )
  }
  return state
}

/** Answers ABCI queries: those of the modules from state, and the chain's own. */
export function createQueries(app: App, own: Readonly<Record<string, ChainQuery>>) {
  function answer(path: string, data: Uint8Array, height: number, newest: number): Uint8Array {
    const query = app.queries.get(path)
    const ownQuery = own[path]
    if (!query && !ownQuery) throw sdkError('unknownRequest', 'unknown query path')
    const state = stateAt(app, height, newest)
    if (query) return query(data, state, height || newest)
    return ownQuery ? ownQuery(data) : new Uint8Array()
  }

  return (path: string, data: Uint8Array, height: number, newest: number): QueryResult => {
    const at = height > 0 ? height : newest
    try {
      return { code: 0, codespace: '', log: '', value: answer(path, data, height, newest), height: at }
    } catch (thrown) {
      const { code, codespace, message } = toAbciError(thrown)
      return { code, codespace, log: message, value: new Uint8Array(), height: at }
    }
  }
}
