/** An application error, as in the Cosmos SDK. */
export class AbciError extends Error {
  override name = 'AbciError'
  readonly codespace: string
  readonly code: number

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

const sdkErrors = {
  txDecode: [2, 'tx parse error'],
  unauthorized: [4, 'unauthorized'],
  insufficientFunds: [5, 'insufficient funds'],
  unknownRequest: [6, 'unknown request'],
  invalidAddress: [7, 'invalid address'],
  invalidPubKey: [8, 'invalid pubkey'],
  unknownAddress: [9, 'unknown address'],
  invalidCoins: [10, 'invalid coins'],
  outOfGas: [11, 'out of gas'],
  insufficientFee: [13, 'insufficient fee'],
  noSignatures: [15, 'no signatures supplied'],
  invalidRequest: [18, 'invalid request'],
  keyNotFound: [22, 'key not found'],
  invalidHeight: [26, 'invalid height'],
  wrongSequence: [32, 'incorrect account sequence'],
  invalidGasLimit: [41, 'invalid gas limit']
} as const

export type SdkErrorName = keyof typeof sdkErrors

/** Creates an error of codespace `sdk`. The SDK puts the details first, as in `<text>: insufficient funds`. */
export function sdkError(name: SdkErrorName, text?: string): AbciError {
  const [code, description] = sdkErrors[name]
  return new AbciError('sdk', code, text === undefined ? description : `${text}: ${description}`)
}

const grpcErrors = {
  NotFound: 'keyNotFound',
  InvalidArgument: 'invalidRequest',
  Unknown: 'unknownRequest'
} as const

/** Creates the error of an ABCI query that failed with a gRPC status. */
export function grpcError(status: keyof typeof grpcErrors, text: string): AbciError {
  return sdkError(grpcErrors[status], `rpc error: code = ${status} desc = ${text}`)
}

/** Converts a thrown value to an AbciError. Any other error is a bug, which the SDK reports as a panic. */
export function toAbciError(error: unknown): AbciError {
  if (error instanceof AbciError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new AbciError('undefined', 111222, `recovered: ${text}: panic`)
}
