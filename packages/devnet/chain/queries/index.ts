import { AbciError, sdkError } from '../errors.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { QueryHandler } from '../module.ts'
import type { StateView } from '../state/state.ts'
import type { App } from '../tx/app.ts'
import { simulate } from './simulate.ts'

/** If the query failed, `code`, `codespace` and `log` are set, and `value` is empty. */
export interface QueryResult {
  code: number
  codespace: string
  log: string
  value: Uint8Array
  height: number
}

/** @throws AbciError 26 for a future height, 18 for a height that is no longer kept */
function stateAt({ store }: App, height: number, newest: number): StateView {
  if (height > newest) {
    throw sdkError('invalidHeight', 'cannot query with height in the future; please provide a valid height')
  }
  const state = height === store.height ? store : store.at(height)
  if (state) return state
  throw sdkError(
    'invalidRequest',
    `failed to load state at height ${height}; version does not exist (latest height: ${newest})`
  )
}

/** Converts an error to a failed result. Any error other than an AbciError comes from the decoder. */
function failure(thrown: unknown, height: number): QueryResult {
  const { code, codespace, message } =
    thrown instanceof AbciError ? thrown : sdkError('invalidRequest', 'unexpected EOF')
  return { code, codespace, log: message, value: new Uint8Array(), height }
}

/** Creates a node's ABCI query handler. */
export function createQueries(app: App, mempool: Mempool) {
  const queries = new Map<string, QueryHandler>([
    ...app.queries,
    ['/cosmos.tx.v1beta1.Service/Simulate', request => simulate(app, request, mempool.context)]
  ])
  return (path: string, data: Uint8Array, height: number, newest: number): QueryResult => {
    const query = queries.get(path)
    if (query === undefined) {
      const text = path === '' ? 'no query path provided' : 'unknown query path'
      return failure(sdkError('unknownRequest', text), 0)
    }
    const at = height || newest
    let state: StateView
    try {
      state = stateAt(app, at, newest)
    } catch (thrown) {
      return failure(thrown, 0)
    }
    try {
      return { code: 0, codespace: '', log: '', value: query(data, state, at), height: at }
    } catch (thrown) {
      return failure(thrown, at)
    }
  }
}
