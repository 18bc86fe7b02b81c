import { shorten } from './shorten.ts'

const textOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** The node did not answer, answered with an error, or its answer cannot be read. */
export class NodeUnavailableError extends Error {
  override name = 'NodeUnavailableError'
  readonly host: string
  /** The node took longer than it was given. */
  readonly late: boolean

  /** @param host the node's host and port; never the whole URL, which may hold a key */
  constructor(host: string, cause: unknown, { late = false } = {}) {
    super(`RPC node ${host} is unavailable: ${textOf(cause)}`, { cause })
    this.host = host
    this.late = late
  }
}

/** The node has deleted the block, or has never stored its results. */
export class HistoryPrunedError extends Error {
  override name = 'HistoryPrunedError'
  /** The lowest block that the node may still have, with its results. */
  readonly lowest: number

  constructor(
    height: number,
    lowest: number,
    message = `no node has block ${height} any more; the lowest that is left is ${lowest}`
  ) {
    super(message)
    this.lowest = lowest
  }
}

/** The node answered with a JSON-RPC error. Its texts are bounded, and without the secrets of the node's URL. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  /** CometBFT's text for the cause, shortened. */
  readonly data: string
  readonly #data: string

  /**
   * @param data CometBFT's text for the cause, as it came
   * @param scrub takes the secrets of the node's URL out of a text
   */
  constructor(code: number, message: string, data: string, scrub: (text: string) => string) {
    super(`${shorten(scrub(message))} (${code}): ${shorten(scrub(data))}`)
    this.code = code
    this.data = shorten(scrub(data))
    this.#data = data
  }

  /** Looks in the text as it came: a part of the URL may be a word of CometBFT's. */
  says(pattern: RegExp): RegExpExecArray | null {
    return pattern.exec(this.#data)
  }
}
