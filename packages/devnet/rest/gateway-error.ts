/**
 * An error that is sent in the format of the Cosmos gRPC gateway: `{ code, message, details: [] }`, with a gRPC code.
 */
export class GatewayError extends Error {
  override name = 'GatewayError'
  readonly statusCode: number
  readonly grpcCode: number

  constructor(statusCode: number, grpcCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
    this.grpcCode = grpcCode
  }
}

export function notFound(message = 'not found'): GatewayError {
  return new GatewayError(404, 5, message)
}

/** Parses a uint64 path parameter. @throws GatewayError with the gateway's message when it is not a number */
export function pathNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const cause = `strconv.ParseUint: parsing "${text}": invalid syntax`
  throw new GatewayError(400, 3, `type mismatch, parameter: ${name}, error: ${cause}`)
}
