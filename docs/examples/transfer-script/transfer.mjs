import { approvalOf, bodyOf, ClientError, createClient, wholeTokens } from 'transaction-back-end-client'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** One transfer from the quote to its final status. Arguments: the service's URL, the URL of ETH's node, the receiver. */
const [baseUrl, rpcUrl, targetAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'] = process.argv.slice(2)

const print = line => process.stdout.write(`${line}\n`)
const client = createClient({ baseUrl })
const account = privateKeyToAccount(process.env.USER_KEY)
const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions)

/** Lets the pool pull the quote's allowance, and waits until that is in a block: before, nothing may be submitted. */
async function approve(quote) {
  const { data: chains } = await client.api.GET('/chains')
  const { data: pools } = await client.api.GET('/chains/pool')
  const chain = chains.find(({ shortName }) => shortName === quote.request.originChain)
  const token = chain.supportedTokens.find(({ symbol }) => symbol === quote.request.originSymbol)
  const pool = pools.find(({ chainName }) => chainName === quote.request.originChain)
  if ((await wallet.getChainId()) !== chain.id) throw new Error(`${rpcUrl} is not a node of ${chain.name}`)
  const approval = approvalOf(quote, pool, token)
  const { data: allowance } = await wallet.call(approval.allowance)
  for (const call of approval.transactions(allowance)) {
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    const { status } = await wallet.waitForTransactionReceipt({ hash })
    print(`Approval ${hash}: ${status}`)
    if (status !== 'success') throw new Error('The approval was reverted')
  }
}

try {
  const quote = await client.quote({
    amount: '100',
    originChain: 'ETH',
    originSymbol: 'USDT',
    originAddress: account.address,
    targetChain: 'POL',
    targetSymbol: 'USDC',
    targetAddress
  })
  const { allowanceAmount, message } = quote.feeFromOrigin
  print(`Fees: ${wholeTokens(quote.fees.total)} USDT`)
  print(`To approve: ${wholeTokens(allowanceAmount)} USDT`)
  await approve(quote)

  const body = bodyOf(quote, { signature: await account.signMessage({ message }) })
  const { txId } = await client.submitAndWait(body, {
    onState: ({ status }) => print(`Submission: ${status}`)
  })
  if (txId === undefined) throw new Error('The chain executed the submission without reporting its id')
  for await (const { txstatus } of client.watch({ txId })) print(`Transfer ${txId}: ${txstatus}`)
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  print(`${error.code}: ${error.message}`)
  if (error.mayBeAccepted) print('It may be executed all the same: submit the same body again, nothing else.')
  process.exitCode = 1
}
