import { randomUUID } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { BitcoinWallet } from '../helpers/bitcoin-wallet.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { until } from '../helpers/until.ts'
import * as reads from './reads.ts'

export const SHOP = 'https://shop.example'

/** Statuses after which the widget stops polling. */
const FAILED = ['FailedToPull', 'FailedToPay', 'UnAvailable', 'DeclinedInvalid']
const FINAL = ['Completed', ...FAILED, 'RefundFailed', 'RefundCompleted']

/** The origin or target that a user chose in the widget. */
export interface Choice {
  chain: string
  symbol: string
  address: string
}

interface Amount {
  value: string
  decimals: number
}

/** Sends the widget's requests, reads its fields, and throws an Error where it would show one. */
export function createWidget(url: string, brand: string) {
  const account = privateKeyToAccount(generatePrivateKey())

  async function call<T extends TSchema>(path: string, schema: T, sent: RequestInit = {}) {
    const init = { ...sent, headers: { origin: SHOP, ...sent.headers }, credentials: 'include' } as const
    const response = await patientFetch(`${url}${path}`, init)
    const { headers } = response
    const isAllowed = headers.get('access-control-allow-origin') === SHOP
    if (!isAllowed || !headers.get('access-control-allow-credentials'))
      throw new Error(`${path}: the browser blocks the response`)
    const body: unknown = await response.json()
    if (response.ok && Value.Check(schema, body)) return body
    const { path: at, message } = Value.Errors(schema, body).First() ?? {}
    const text = `${path}: ${response.status} ${at} ${message}: ${JSON.stringify(body)}`
    throw new Error(text, { cause: response.status })
  }

  const headers = { 'content-type': 'application/json' }
  const post = <T extends TSchema>(path: string, body: object, schema: T) =>
    call(path, schema, { method: 'POST', headers, body: JSON.stringify(body) })

  /** Requests a quote. The query is not URL-encoded, and the amount is a JavaScript number. */
  function quote<T extends TSchema>(origin: Choice, target: Choice, amount: number, schema: T) {
    const of = (name: string, { address, chain, symbol }: Choice) =>
      `${name}Address=${address}&${name}Chain=${chain}&${name}Symbol=${symbol}`
    return call(`/submit/fees?amount=${amount}&${of('origin', origin)}&${of('target', target)}`, schema)
  }

  /** Returns the transaction id from the events. The widget reads it there and not from the response's `txId`. */
  function txIdOf({ events }: Static<typeof reads.Submitted>): string {
    const event = events.find(({ type }) => type.endsWith('transaction_requested'))
    const txId = event?.attributes.find(({ key }) => key === 'txId')?.value
    if (txId === undefined) throw new Error('no txId in the events')
    return txId
  }

  /** Returns the fields of every submission, of which some come from the quote. */
  const common = (
    origin: Choice,
    target: Choice,
    { feeId, feeTotalBigInt, options }: { feeId: string; feeTotalBigInt: Amount; options: object },
    { decimals }: Amount,
    choices: object
  ) => ({
    originAddress: origin.address,
    originChain: origin.chain,
    originSymbol: origin.symbol,
    targetAddress: target.address,
    targetChain: target.chain,
    targetSymbol: target.symbol,
    mode: 'normal',
    htlcCreationHash: '',
    htlcCreationVout: 0,
    htlcExpirationTimestamp: '',
    htlcVersion: '',
    senderPubKey: '',
    htlcAddress: '',
    htlcAmountSats: '',
    htlcLockId: '',
    fee: inDecimals(feeTotalBigInt, decimals),
    decimals,
    options: JSON.stringify({ feeId, chargeFeeAtTarget: false, ...choices, ...options })
  })

  /** Polls a status route until the status is final. @returns the last record */
  async function settled(path: string, root: string, schema: ReturnType<typeof reads.transferStatus>) {
    const record = async () => (await call(path, schema)).data[root]
    const isFinal = async () => FINAL.includes(String((await record())?.['txstatus']))
    await until(isFinal, `a final status at ${path}`)
    return record()
  }

  /** Submits, or throws if the response lacks what the widget reads. @returns the transaction id */
  const submit = async (path: string, body: object) => txIdOf(await post(path, body, reads.Submitted))

  async function submitTransfer(body: object) {
    const txId = await submit('/submit/transfer', { ccTransactionIdSeed: '', ...body })
    const record = await settled(`/tx/${txId}/status`, 'transaction_data', reads.transferStatus(brand))
    return { txId, record }
  }

  /** Locks satoshis for the pool. Polls while the lock has too few confirmations. @returns the fields of the submission */
  async function lock(wallet: BitcoinWallet, api: string, recipientAddress: string, amountSats: number) {
    const { balance } = await call(`/btc/balance?address=${wallet.address}`, reads.BitcoinBalance)
    if (balance < amountSats) throw new Error(`${wallet.address} has only ${balance} satoshis`)
    const pool = (await call('/chains/pool', reads.Pools)).find(({ chainName }) => chainName === 'BTC')
    const sender = { senderAddress: wallet.address, senderPubkey: wallet.publicKey }
    const terms = { ...sender, recipientAddress, poolAddress: pool?.poolAddress, amountSats }
    const intent = await post('/btc/htlc/lock-intent', terms, reads.LockIntent)
    const txid = await wallet.pay(api, intent.htlcAddress, amountSats)
    const recorded = () =>
      post('/btc/htlc/record', { lockId: intent.lockId, txid }, reads.LockRecord).catch(error => {
        if (error.cause === 404) return undefined
        throw error
      })
    const { lockId: htlcLockId, ...fields } = await until(recorded, `the lock ${txid} is recorded`)
    return { ...fields, htlcLockId, htlcAddress: intent.htlcAddress, htlcAmountSats: String(amountSats) }
  }

  return {
    address: account.address,
    environment: () => call('/chains/env', reads.environment(brand)),
    chains: () => call('/chains', reads.Chains),
    pools: () => call('/chains/pool', reads.Pools),
    liquidity: async (txId: number) =>
      (await call(`/tx/lp/${txId}/status`, reads.liquidityStatus(brand))).data['liquidity_transaction_data'],
    compliance: (address: string) => call(`/compliant?address=${address}`, reads.Compliance),

    /** Quotes, locks, submits and follows a transfer of bitcoins. @param api where the wallet sends its transactions */
    async bitcoin(wallet: BitcoinWallet, api: string, target: Choice, amount: number) {
      const origin = { chain: 'BTC', symbol: 'BTC', address: wallet.address }
      const offer = await quote(origin, target, amount, reads.transferQuote(brand))
      const { allowanceAmount, submitAmount } = offer.transactionValues.feeFromOrigin
      const fields = await lock(wallet, api, target.address, Number(allowanceAmount.value))
      const body = common(origin, target, offer, submitAmount, { signature: '' })
      return { fields, ...(await submitTransfer({ ...body, ...fields, amount: submitAmount.value })) }
    },

    async transfer(origin: Choice, target: Choice, amount: number, chargeFeeAtTarget = false) {
      const offer = await quote(origin, target, amount, reads.transferQuote(brand))
      const { submitAmount, message } =
        offer.transactionValues[chargeFeeAtTarget ? 'feeFromTarget' : 'feeFromOrigin']
      const signature = await account.signMessage({ message })
      const body = common(origin, target, offer, submitAmount, { signature, chargeFeeAtTarget })
      return submitTransfer({ ...body, amount: submitAmount.value })
    },

    /** Quotes, submits and follows a payment by card or bank. Submits twice, as the widget does. */
    async payment(rail: 'CC' | 'BANK', symbol: string, target: Choice, amount: number) {
      const origin = { chain: rail, symbol, address: target.address }
      const offer = await quote(origin, target, amount, reads.railQuote(brand))
      const seed = randomUUID()
      const path = `/submit/transactionId?transactionIdSeed=${seed}`
      const { transactionId } = await call(path, reads.TransactionId)
      const { submitAmount } = offer.transactionValues.feeFromOrigin
      const choices = { signature: '', transactionIdSeed: seed }
      const fields = common({ ...origin, address: '' }, target, offer, submitAmount, choices)
      const body = { ...fields, amount: submitAmount.value, ccTransactionIdSeed: seed }
      const { txId: again } = await submitTransfer(body)
      return { again, transactionId, ...(await submitTransfer(body)) }
    },

    async swap(origin: Choice, target: Choice, amount: number) {
      const offer = await quote(origin, target, amount, reads.swapQuote(brand))
      const { submitAmount, message } = offer.transactionValues.feeFromOrigin
      const { amountOutBigInt } = offer.swapInfo
      const signature = await account.signMessage({ message })
      const txId = await submit('/submit/swap', {
        ...common(origin, target, offer, submitAmount, { signature }),
        amountIn: submitAmount.value,
        amountOut: amountOutBigInt.value,
        amountInDecimals: submitAmount.decimals,
        amountOutDecimals: amountOutBigInt.decimals,
        dex: 'auto',
        slippage: '0.005',
        fiatTransactionIdSeed: ''
      })
      return { record: await settled(`/swap_tx/${txId}/status`, 'swap_data', reads.swapStatus(brand)) }
    }
  }
}

/** Converts the fee to the submitted amount's decimals, as the widget does. */
function inDecimals({ value, decimals }: Amount, to: number): string {
  return to >= decimals
    ? String(BigInt(value) * 10n ** BigInt(to - decimals))
    : String(BigInt(value) / 10n ** BigInt(decimals - to))
}
