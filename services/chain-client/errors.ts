/** The node did not answer in time, or its answer cannot be read. */
export class NodeUnavailableError extends Error {
  override name = 'NodeUnavailableError'
  readonly host: string

  /** @param host the node's host and port; never the whole URL, which may hold a key */
  constructor(host: string, cause: unknown) {
    super(`RPC node ${host} is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause
    })
    this.host = host
  }
}

/** The node answered with a JSON-RPC error. `data` has CometBFT's text for the cause. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: string

  constructor(code: number, message: string, data: string) {
    super(`${message} (${code}): ${data}`)
    this.code = code
    this.data = data
  }
}
