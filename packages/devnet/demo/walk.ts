import { mnemonicToAccount } from 'viem/accounts'
import { terminalLines } from '../../../services/errors/shown.ts'
import { COMPLETED } from '../../../services/status/final-states.ts'
import { bodyOf, type Client, type Quote, type Submitted, wholeTokens } from '../../client/index.ts'

/** A failed step, with the reason as its message. */
export class DemoError extends Error {
  override name = 'DemoError'
}

/** The user's wallet: the second account of the well-known development mnemonic. It has no funds. */
const user = mnemonicToAccount(`${'test '.repeat(11)}junk`, { addressIndex: 1 })

const TRANSFER = {
  originAddress: user.address,
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

export function print(text: string): void {
  process.stdout.write(terminalLines(...text.split('\n')))
}

/** Runs one transfer through the client flow (docs/client-flow.md). @throws ClientError or DemoError when a step fails */
export async function walk(client: Client, signal: AbortSignal): Promise<void> {
  const quote = await fetchQuote(client, signal)
  await checkCompliance(client, signal)
  const submitted = await submit(client, quote, signal)
  const { txId, transactionHash, height } = submitted
  if (txId === undefined) throw new DemoError('the chain reported no transaction id')
  const status = await followStatus(client, txId, signal)
  print('')
  print(`Transfer ${txId} went from quote to ${status}.`)
  print(`   tx id             ${txId}`)
  print(`   transaction hash  ${transactionHash}`)
  print(`   chain height      ${height}`)
  print(`   final status      ${status}`)
}

async function fetchQuote(client: Client, signal: AbortSignal): Promise<Quote> {
  const quote = await client.quote({ ...TRANSFER, amount: '100' }, { signal })
  const { feeId, fees, totalFeeUsd } = quote
  print('3. Fee quote            GET /submit/fees')
  print(`   feeId ${feeId}`)
  print(
    `   total fee ${wholeTokens(fees.total)} ${TRANSFER.originSymbol} (${totalFeeUsd} USD), added to the amount`
  )
  return quote
}

async function checkCompliance(client: Client, signal: AbortSignal): Promise<void> {
  const address = [TRANSFER.originAddress, TRANSFER.targetAddress]
  const { data, error } = await client.api.GET('/compliant', { params: { query: { address } }, signal })
  if (data === undefined) throw new DemoError(`the compliance check failed: ${error.message}`)
  if (!data.isCompliant) throw new DemoError('the addresses are not compliant')
  print('4. Compliance           GET /compliant')
  for (const [index, { result }] of data.results.entries()) {
    print(`   ${address[index]} risk ${result['risk_score']}`)
  }
}

async function submit(client: Client, quote: Quote, signal: AbortSignal): Promise<Submitted> {
  const { feeFromOrigin } = quote
  if (feeFromOrigin === undefined) throw new DemoError('the quote has no feeFromOrigin')
  const { allowanceAmount, message } = feeFromOrigin
  const { originChain, originSymbol } = TRANSFER
  print('5. Approval             simulated: the user’s wallet is not part of the demo')
  print(
    `   allows the pool ${allowanceAmount.value} of the smallest unit of ${originSymbol} on ${originChain}`
  )
  print('6. Signature            simulated: by a public development wallet')
  print(`   “${message}”`)
  const body = bodyOf(quote, { signature: await user.signMessage({ message }) })
  const submitted = await client.submitAndWait(body, { signal })
  print('7. Submission           POST /submit/transfer')
  print(`   tx id ${submitted.txId} in block ${submitted.height}`)
  print(`   transaction hash ${submitted.transactionHash}`)
  return submitted
}

async function followStatus(client: Client, txId: number, signal: AbortSignal): Promise<string> {
  print(`8. Status               GET /tx/${txId}/events`)
  let last = ''
  for await (const { txstatus, failreason } of client.watch({ txId }, { signal })) {
    print(`   ${txstatus}`)
    last = [txstatus, failreason].filter(text => text !== '').join(': ')
  }
  if (last !== COMPLETED) throw new DemoError(`the final status of the transfer is ${last}`)
  return last
}
