import type { App } from '../app.ts'
import { AbciError, sdkError } from '../errors.ts'
import type { StateView } from '../state/state.ts'

/** The response to an ABCI query. If the query failed, `code`, `codespace` and `log` are set, and `value` is empty. */
export interface QueryResult {
  code: number
  codespace: string
  log: string
  value: Uint8Array
  height: number
}

/** Handles a query that needs more than state. @throws AbciError */
export type ChainQuery = (request: Uint8Array) => Uint8Array

/**
 * Returns the state at a height; 0 means the newest.
 * @throws AbciError 26 for a future height, 18 for a negative height or a height that is no longer kept
 */
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

/** Converts an error to a query result. Any error other than an AbciError comes from the decoder. */
function failure(thrown: unknown, height: number): QueryResult {
  const { code, codespace, message } =
    thrown instanceof AbciError ? thrown : sdkError('invalidRequest', 'unexpected EOF')
  return { code, codespace, log: message, value: new Uint8Array(), height }
}

/** Creates the ABCI query handler for the modules' queries and the chain's own. */
export function createQueries(app: App, own: Readonly<Record<string, ChainQuery>>) {
  return (path: string, data: Uint8Array, height: number, newest: number): QueryResult => {
    const query = own[path] ?? app.queries.get(path)
    if (query === undefined)
      return failure(
        sdkError('unknownRequest', path === '' ? 'no query path provided' : 'unknown query path'),
        0
      )
    let state: StateView
    try {
      state = stateAt(app, height, newest)
    } catch (thrown) {
      return failure(thrown, 0)
    }
    const at = height || newest
    try {
      return { code: 0, codespace: '', log: '', value: query(data, state, at), height: at }
    } catch (thrown) {
      return failure(thrown, at)
    }
  }
}
