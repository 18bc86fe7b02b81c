import { messageOf, shorten } from '../errors/shown.ts'

/** The node did not respond, returned an error or sent an unreadable response. */
export class NodeUnavailableError extends Error {
  override name = 'NodeUnavailableError'
  readonly timedOut: boolean

  /** @param host host and port, because a URL can contain a key; undefined if no node is available */
  constructor(host: string | undefined, cause: unknown, { timedOut = false } = {}) {
    const subject = host === undefined ? 'no RPC node is available' : `RPC node ${host} is unavailable`
    super(`${subject}: ${messageOf(cause)}`, { cause })
    this.timedOut = timedOut
  }
}

/** The node has a block, but not its results. */
export class ResultsUnreadableError extends NodeUnavailableError {
  override name = 'ResultsUnreadableError'
}

/** The block is pruned, or its results were never stored. */
export class HistoryPrunedError extends Error {
  override name = 'HistoryPrunedError'
  /** The lowest block for which the node might still have results. */
  readonly lowest: number

  constructor(
    height: number,
    lowest: number,
    message = `no node has block ${height} any more; the lowest block left is ${lowest}`
  ) {
    super(message)
    this.lowest = lowest
  }
}

/** The node returned a JSON-RPC error. The message is shortened and contains no secrets. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly #data: string

  /** @param data CometBFT's description of the cause */
  constructor(code: number, message: string, data: string) {
    super(`${shorten(message)} (${code}): ${shorten(data)}`)
    this.#data = data
  }

  /** Matches the unscrubbed cause: scrubbing might remove a word that the URL also contains. */
  match(pattern: RegExp): RegExpExecArray | null {
    return pattern.exec(this.#data)
  }
}
