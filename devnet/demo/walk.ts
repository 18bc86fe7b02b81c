import { once } from 'node:events'
import type { Static } from '@sinclair/typebox'
import { mnemonicToAccount } from 'viem/accounts'
import type { Devnet } from '../index.ts'
import {
  Compliance,
  type DemoClient,
  DemoError,
  digitsOf,
  Quote,
  recordOf,
  Status,
  Submitted
} from './client.ts'

/** The user's wallet: the second account of the phrase that development chains publish and that holds nothing. */
const user = mnemonicToAccount(`${'test '.repeat(11)}junk`, { addressIndex: 1 })

const TRANSFER = {
  originAddress: user.address,
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

/** The final statuses of a failed transfer (interface 9.7). */
const FAILURES = [
  'FailedToPull',
  'FailedToPay',
  'UnAvailable',
  'RefundCompleted',
  'RefundFailed',
  'DeclinedInvalid'
]

/** A line of the demo's output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/**
 * Takes one transfer through the client flow (interface 16.2) and prints each step.
 * @throws DemoError when a step fails or the transfer does not end as Completed
 */
export async function walk(client: DemoClient, devnet: Devnet, signal: AbortSignal): Promise<void> {
  const quote = await fetchQuote(client)
  await checkCompliance(client)
  approve(quote)
  const submitted = await submit(client, quote)
  const status = await followStatus(client, devnet, submitted.txId, signal)
  print('')
  print(`Transfer ${submitted.txId} went from quote to ${status}.`)
  print(`   tx id             ${submitted.txId}`)
  print(`   transaction hash  ${submitted.transactionHash}`)
  print(`   chain height      ${submitted.height}`)
  print(`   final status      ${status}`)
}

async function fetchQuote(client: DemoClient): Promise<Static<typeof Quote>> {
  const query = new URLSearchParams({ ...TRANSFER, amount: '100' })
  const quote = await client.get(`/submit/fees?${query}`, Quote)
  print('3. Fee quote            GET /submit/fees')
  print(`   feeId ${quote.feeId}`)
  print(
    `   total fee ${quote.feeTotalFiat} ${TRANSFER.originSymbol} (${quote.totalFeeUsd} USD), paid from the origin`
  )
  return quote
}

async function checkCompliance(client: DemoClient): Promise<void> {
  const addresses = [TRANSFER.originAddress, TRANSFER.targetAddress]
  const query = new URLSearchParams(addresses.map((address): [string, string] => ['address', address]))
  const { isCompliant, results } = await client.get(`/compliant?${query}`, Compliance)
  if (!isCompliant) throw new DemoError('the addresses are not compliant')
  print('4. Compliance           GET /compliant')
  for (const [index, { result }] of results.entries()) {
    print(`   ${addresses[index]} risk ${result.risk_score}`)
  }
}

function approve(quote: Static<typeof Quote>): void {
  const { allowanceAmount, message } = quote.transactionValues.feeFromOrigin
  const { originChain, originSymbol } = TRANSFER
  print('5. Approval             simulated: the user’s wallet is outside of this system')
  print(
    `   ${digitsOf(allowanceAmount)} of ${originSymbol}’s smallest unit for the pool address on ${originChain}`
  )
  print('6. Signature            by the key of a development wallet')
  print(`   “${message}”`)
}

async function submit(client: DemoClient, quote: Static<typeof Quote>): Promise<Static<typeof Submitted>> {
  const { feeId, feeTotalBigInt } = quote
  const { submitAmount, message } = quote.transactionValues.feeFromOrigin
  const body = {
    ...TRANSFER,
    amount: digitsOf(submitAmount),
    fee: digitsOf(feeTotalBigInt),
    decimals: typeof submitAmount === 'string' ? quote.decimals : submitAmount.decimals,
    options: JSON.stringify({ feeId, signature: await user.signMessage({ message }), message })
  }
  const submitted = await client.post('/submit/transfer', body, Submitted)
  print('7. Submission           POST /submit/transfer')
  print(`   tx id ${submitted.txId} in block ${submitted.height}`)
  print(`   transaction hash ${submitted.transactionHash}`)
  return submitted
}

/** Polls once per block until the status is final. */
async function followStatus(
  client: DemoClient,
  devnet: Devnet,
  txId: number,
  signal: AbortSignal
): Promise<string> {
  print(`8. Status               GET /tx/${txId}/status`)
  const blocks = new EventTarget()
  const unsubscribe = devnet.chain.onBlock(() => blocks.dispatchEvent(new Event('block')))
  try {
    for (;;) {
      const { txstatus, failreason } = recordOf(await client.get(`/tx/${txId}/status`, Status))
      print(`   block ${String(devnet.chain.height).padEnd(4)} ${txstatus}`)
      if (txstatus === 'Completed') return txstatus
      if (FAILURES.includes(txstatus))
        throw new DemoError(`the transfer ended with ${txstatus}: ${failreason}`)
      await once(blocks, 'block', { signal })
    }
  } finally {
    unsubscribe()
  }
}
