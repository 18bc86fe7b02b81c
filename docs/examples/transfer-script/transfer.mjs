import { bodyOf, ClientError, createClient, wholeTokens } from 'transaction-back-end-client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** One transfer from the quote to its final status, at the service whose URL is the first argument. */
const [baseUrl = 'http://127.0.0.1:3001', targetAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'] =
  process.argv.slice(2)

const print = line => process.stdout.write(`${line}\n`)
const client = createClient({ baseUrl })
// The wallet of a user that has nothing: enough where the chain is a development network.
const user = privateKeyToAccount(generatePrivateKey())

try {
  const quote = await client.quote({
    amount: '100',
    originChain: 'ETH',
    originSymbol: 'USDT',
    originAddress: user.address,
    targetChain: 'POL',
    targetSymbol: 'USDC',
    targetAddress
  })
  const { allowanceAmount, message } = quote.feeFromOrigin
  print(`Fees: ${wholeTokens(quote.fees.total)} USDT`)
  // On a real network the user approves this amount for the pool address first, or the transfer fails.
  print(`To approve: ${wholeTokens(allowanceAmount)} USDT`)

  const body = bodyOf(quote, { signature: await user.signMessage({ message }) })
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
