/**
 * A request's parameters, read by name and type. A missing or empty parameter is undefined; each reader
 * throws an RpcError (-32602) that names the parameter when its value is of another type.
 */
export interface Params {
  string(name: string): string | undefined
  /** An int or int64: a string of digits on the wire. */
  int(name: string): number | undefined
  /** False when missing. */
  bool(name: string): boolean
  /** Bytes that JSON carries as base64: transactions and hashes. */
  bytes(name: string): Uint8Array | undefined
  /** Bytes that JSON carries as hex: the data of an ABCI query. */
  hex(name: string): Uint8Array | undefined
}
