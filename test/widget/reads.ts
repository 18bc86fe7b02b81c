import { type TSchema, Type } from '@sinclair/typebox'

/**
 * The response fields that the newer widget (1.5.x) reads, as observed in a browser. If one of these fields is missing
 * or has the wrong type, a page of the widget breaks. Fields that the widget does not read are left out on purpose.
 */

const digits = Type.String({ pattern: '^(0|[1-9][0-9]*)$' })
const text = Type.String()
const named = Type.String({ minLength: 1 })

/** An amount in the `...BigInt` format. The widget calls `toString` on `value` and scales it by `decimals`. */
const amount = Type.Object({ value: digits, decimals: Type.Integer({ minimum: 0, maximum: 36 }) })

const locations = Type.Array(Type.Union([Type.Literal('origin'), Type.Literal('target')]))

const token = Type.Object({
  symbol: named,
  address: text,
  decimals: Type.Integer({ minimum: 0 }),
  peggedTo: named,
  isPermit2: Type.Optional(Type.Boolean()),
  supportedLocations: Type.Optional(locations)
})

const url = Type.String({ pattern: '^(https://[^?#]*[^?#/])?$' })
const explorer = Type.Object({ name: text, url, apiUrl: Type.Optional(named) })

/**
 * The chains. The widget passes them to viem unchanged. It appends `/tx/{hash}` to an explorer's URL, so that URL must
 * not end in a query or a slash.
 */
export const Chains = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: named,
    nativeCurrency: Type.Object({ name: named, symbol: named, decimals: Type.Integer() }),
    rpcUrls: Type.Object({ default: Type.Object({ http: Type.Array(named) }) }),
    blockExplorers: Type.Object({ default: explorer }),
    isEvm: Type.Boolean(),
    blockTime: Type.Optional(Type.Integer()),
    shortName: named,
    compatibility: Type.Union(['EVM', 'SELF', 'BTC', 'CC', 'BANK'].map(kind => Type.Literal(kind))),
    supportedLocations: locations,
    disabled: Type.Boolean(),
    supportedTokens: Type.Array(token)
  }),
  { minItems: 1 }
)

export const environment = (brand: string) =>
  Type.Object({
    env: Type.Union([Type.Literal('mainnet'), Type.Literal('testnet')]),
    [`${brand}Explorer`]: Type.Union([text, Type.Null()]),
    paymentPartnerId: Type.Union([text, Type.Null()]),
    transferLimitMaxUSDT: Type.Union([text, Type.Null()]),
    backendVersion: named
  })

const balance = Type.Array(Type.Object({ tokenSymbol: named, amount: text, decimal: text }))
const pool = Type.Object({ chainName: named, poolAddress: text, balance, nativeGasAmount: text })
export const Pools = Type.Array(pool, { minItems: 1 })

const side = Type.Object({ allowanceAmount: amount, submitAmount: amount, message: named })

const quoteFields = (brand: string) => ({
  feeId: named,
  peggedTo: named,
  expiration: Type.Union([named, Type.Integer()]),
  feeOriginGasBigInt: amount,
  feeTargetGasBigInt: amount,
  [`fee${brand.charAt(0).toUpperCase()}${brand.slice(1)}ProcessingBigInt`]: amount,
  feeTotalBigInt: amount,
  options: Type.Object({})
})

const sides = Type.Object({ feeFromOrigin: side, feeFromTarget: side })
export const transferQuote = (brand: string) =>
  Type.Object({ ...quoteFields(brand), transactionValues: sides })

/** The widget copies the quote's options into its submission. */
export const railQuote = (brand: string) =>
  Type.Composite([transferQuote(brand), Type.Object({ options: Type.Object({ paymentMethod: named }) })])

/** Swap quotes must not contain `feeFromTarget`. If they did, the widget would offer a choice of fee side. */
export const swapQuote = (brand: string) =>
  Type.Object({
    ...quoteFields(brand),
    feeSwapBigInt: amount,
    swapInfo: Type.Object({ amountOutBigInt: amount }),
    transactionValues: Type.Object({ feeFromOrigin: side, feeFromTarget: Type.Optional(Type.Never()) })
  })

export const TransactionId = Type.Object({ transactionId: named })

const risk = Type.Object({ result: Type.Object({ risk_score: named }) })
const results = Type.Array(risk, { minItems: 1 })
export const Compliance = Type.Object({ isCompliant: Type.Boolean(), results })

const attributes = Type.Array(Type.Object({ key: named, value: text }))
const events = Type.Array(Type.Object({ type: named, attributes }))
export const Submitted = Type.Object({ code: Type.Literal(0), events })

export const BitcoinBalance = Type.Object({ balance: Type.Integer({ minimum: 0 }) })

export const LockIntent = Type.Object({ lockId: named, htlcAddress: named, amountSats: Type.Integer() })

/** The widget copies these fields into its submission. */
export const LockRecord = Type.Object({
  lockId: named,
  htlcCreationHash: named,
  htlcCreationVout: Type.Integer({ minimum: 0 }),
  htlcExpirationTimestamp: named,
  htlcVersion: named,
  senderPubKey: named
})

const progress = (brand: string) => ({
  txstatus: named,
  originchain: named,
  originsymbol: named,
  targetchain: named,
  targetsymbol: named,
  pullhash: text,
  releasehash: text,
  refundhash: text,
  failreason: text,
  [`${brand}hash`]: named
})

/** Builds the schema of a status response, whose property `root` contains the record itself and not a list. */
const status = (root: string, fields: Record<string, TSchema>) =>
  Type.Object({ data: Type.Object({ [root]: Type.Object(fields) }) })

export const transferStatus = (brand: string) =>
  status('transaction_data', { ...progress(brand), tx_id: named, amount: Type.Number() })
export const swapStatus = (brand: string) =>
  status('swap_data', { ...progress(brand), tx_id: named, amountIn: Type.Number(), amountOut: Type.Number() })
const liquidity = { originaddress: named, targetaddress: named, tx_id: named, amount: Type.Number() }
export const liquidityStatus = (brand: string) =>
  status('liquidity_transaction_data', { ...progress(brand), ...liquidity })
