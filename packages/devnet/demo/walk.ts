import { createWalletClient, formatUnits, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { terminalLines } from '../../../services/errors/shown.ts'
import { COMPLETED } from '../../../services/status/final-states.ts'
import {
  approvalOf,
  bodyOf,
  type Client,
  type Quote,
  type Submitted,
  wholeTokens
} from '../../client/index.ts'
import { NO_ANVIL } from '../evm/anvil.ts'
import { type EvmChains, USER } from '../evm/index.ts'

/** A failed step, with the reason as its message. */
export class DemoError extends Error {
  override name = 'DemoError'
}

const user = privateKeyToAccount(USER.privateKey)

const TRANSFER = {
  originAddress: user.address,
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  targetChain: 'POL',
  targetSymbol: 'USDC'
} as const

export function print(text: string): void {
  process.stdout.write(terminalLines(...text.split('\n')))
}

/**
 * Runs one transfer through the client flow (docs/client-flow.md).
 * @param evm undefined if this platform has no EVM node; then no tokens move
 * @throws ClientError or DemoError when a step fails
 */
export async function walk(client: Client, evm: EvmChains | undefined, signal: AbortSignal): Promise<void> {
  const quote = await fetchQuote(client, signal)
  if (evm === undefined) {
    print('4. Approval             none, and no tokens move on ETH and POL:')
    print(`   ${NO_ANVIL}`)
  } else {
    print('4. Approval             the user allows the pool to pull the tokens')
    await printBalances(evm)
    await approve(client, evm, quote, signal)
  }
  const { txId } = await submit(client, quote, signal)
  if (txId === undefined) throw new DemoError('the chain reported no transaction id')
  await followStatus(client, txId, signal)
  if (evm !== undefined) {
    print('8. Balances             after the transfer')
    await printBalances(evm)
  }
  print(`\nTransfer ${txId} went from quote to Completed.`)
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

/** Approves the quote's allowance for the pool, as the user's wallet does, and waits for the receipts. */
async function approve(client: Client, evm: EvmChains, quote: Quote, signal: AbortSignal): Promise<void> {
  const { originChain, originSymbol } = TRANSFER
  const { data: chains } = await client.api.GET('/chains', { signal })
  const { data: pools } = await client.api.GET('/chains/pool', { signal })
  const chain = chains?.find(({ shortName }) => shortName === originChain)
  const token = chain?.supportedTokens.find(({ symbol }) => symbol === originSymbol)
  const pool = pools?.find(({ chainName }) => chainName === originChain)
  if (token === undefined || pool === undefined) throw new DemoError(`${originChain} has no ${originSymbol}`)
  const approval = approvalOf(quote, pool, token)
  if (approval.family !== 'EVM') throw new DemoError(`${originChain} is not an EVM chain`)
  const transport = http(evm.chain(originChain)?.url)
  const wallet = createWalletClient({ account: user, transport }).extend(publicActions)
  const { data = '0x' } = await wallet.call(approval.allowance)
  for (const call of approval.transactions(data)) {
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    const { status } = await wallet.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new DemoError(`the approval ${hash} failed`)
    print(`   allows ${approval.spender} to pull ${approval.amount} base units`)
    print(`   transaction ${hash} on ${originChain}`)
  }
}

async function printBalances(evm: EvmChains): Promise<void> {
  const { originChain, originSymbol, originAddress, targetChain, targetSymbol, targetAddress } = TRANSFER
  for (const [name, symbol, owner, address] of [
    [originChain, originSymbol, 'user', originAddress],
    [originChain, originSymbol, 'pool', evm.pool],
    [targetChain, targetSymbol, 'target', targetAddress],
    [targetChain, targetSymbol, 'pool', evm.pool]
  ] as const) {
    const token = evm.chain(name)?.tokens[symbol]
    if (token === undefined) throw new DemoError(`${name} has no ${symbol}`)
    const amount = formatUnits(await token.contract.read.balanceOf([address]), token.decimals)
    print(`   ${name} ${owner.padEnd(7)}${address} ${amount} ${symbol}`)
  }
}

async function submit(client: Client, quote: Quote, signal: AbortSignal): Promise<Submitted> {
  const { feeFromOrigin } = quote
  if (feeFromOrigin === undefined) throw new DemoError('the quote has no feeFromOrigin')
  const { message } = feeFromOrigin
  print('5. Signature            of the quote’s message')
  print(`   “${message}”`)
  const body = bodyOf(quote, { signature: await user.signMessage({ message }) })
  const submitted = await client.submitAndWait(body, { signal })
  print('6. Submission           POST /submit/transfer')
  print(`   tx id ${submitted.txId} in block ${submitted.height}`)
  print(`   transaction hash ${submitted.transactionHash}`)
  return submitted
}

async function followStatus(client: Client, txId: number, signal: AbortSignal): Promise<void> {
  print(`7. Status               GET /tx/${txId}/events`)
  let last = ''
  for await (const { txstatus, failreason } of client.watch({ txId }, { signal })) {
    print(`   ${txstatus}`)
    last = [txstatus, failreason].filter(text => text !== '').join(': ')
  }
  if (last !== COMPLETED) throw new DemoError(`the final status of the transfer is ${last}`)
}
