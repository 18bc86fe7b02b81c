/** Sample TypeScript for integrators, with the same calls that the page makes in each step. */

export function setUpCode(baseUrl: string): string {
  return `// npm install viem ./transaction-back-end-client-VERSION.tgz
import { createClient } from 'transaction-back-end-client'

const client = createClient({
  baseUrl: '${baseUrl}'
})`
}

export function chainsCode(targetChain: string, originChain: string): string {
  return `const { data: chains } = await client.api.GET('/chains')
const { data: payable } = await client.api.GET(
  '/chains/get_available_chains/{targetChain}',
  { params: { path: { targetChain: '${targetChain}' } } }
)
const { data: payWith } = await client.api.GET(
  '/chains/get_currencies/{originChain}/{targetChain}',
  { params: { path: { originChain: '${originChain}', targetChain: '${targetChain}' } } }
)`
}

/** @param hasKey whether the code has the payer's key, which approves and signs later */
export function quoteCode(query: object, hasKey: boolean): string {
  const asked = literal(query)
  if (!hasKey) return `const quote = await client.quote(${asked})`
  return `import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

// In a shop, the user's wallet signs. Here, a key signs. If tokens move, its account needs tokens and gas.
const account = privateKeyToAccount(process.env.USER_KEY ?? generatePrivateKey())

const quote = await client.quote(${withAccount(asked)})`
}

/** Replaces the origin address with the key's account, because the service accepts only that account's signature. */
function withAccount(request: string): string {
  return request.replace(/(originAddress: )".*"/, '$1account.address')
}

const wallets = {
  EVM: (rpc: string) => `import { createWalletClient, http, publicActions } from 'viem'

const wallet = createWalletClient({ account, transport: http('${rpc}') }).extend(publicActions)`,
  browser: () => `import { createWalletClient, custom, publicActions } from 'viem'

const wallet = createWalletClient({ transport: custom(window.ethereum) }).extend(publicActions)
const [account] = await wallet.requestAddresses()`
}

/** @param rpc the URL of the origin chain's node */
function approveCode(side: string, signer: keyof typeof wallets, rpc: string): string {
  return `import { approvalOf } from 'transaction-back-end-client'
${wallets[signer](rpc)}

const { originChain, originSymbol } = quote.request
const { data: listed } = await client.api.GET('/chains')
const { data: pools } = await client.api.GET('/chains/pool')
const chain = listed.find(({ shortName }) => shortName === originChain)
const token = chain.supportedTokens.find(({ symbol }) => symbol === originSymbol)
const pool = pools.find(({ chainName }) => chainName === originChain)
const approval = approvalOf(quote, pool, token, { side: '${side}' })

const { data: allowance } = await wallet.call(approval.allowance)
for (const call of approval.transactions(allowance)) {
  const hash = await wallet.sendTransaction({ account, ...call, chain: null })
  await wallet.waitForTransactionReceipt({ hash })
}

`
}

const signers = {
  EVM: 'const signature = await account.signMessage({ message })',
  browser: 'const signature = await wallet.signMessage({ account, message })',
  TRX: `// In a shop, the user's wallet signs. Here a key of the page does.
const signature = await tronWeb.trx.signMessageV2(message)`,
  SOL: `// In a shop, the user's wallet signs. Here a key of the page does.
const bytes = await wallet.signMessage(new TextEncoder().encode(message))
const signature = base58.encode(bytes)`,
  BTC: `const { originAddress: senderAddress, targetAddress: recipientAddress } = quote.request
const senderPubkey = process.env.BTC_KEY
const { data: pools } = await client.api.GET('/chains/pool')
const { poolAddress } = pools.find(({ chainName }) => chainName === 'BTC')
const amountSats = Number(quote[side].allowanceAmount.value)
const { data: intent } = await client.api.POST('/btc/htlc/lock-intent', {
  body: { senderAddress, senderPubkey, recipientAddress, poolAddress, amountSats }
})
const { lockId, htlcAddress } = intent
// Now the user's wallet sends amountSats to htlcAddress, in one output.
const body = { lockId, txid: process.env.BTC_TXID }
// Again every five seconds while the error is LOCK_PENDING:
const { data: recorded, error } = await client.api.POST('/btc/htlc/record', { body })
const lock = { ...recorded, htlcLockId: lockId, htlcAddress }`,
  rail: `const transactionIdSeed = crypto.randomUUID()

const { data: payment } = await client.api.GET('/submit/transactionId', {
  params: { query: { transactionIdSeed } }
})
// Now the user pays at your provider, under payment.transactionId.`
}

type Signer = keyof typeof signers

/** @param rpc the URL of the origin chain's node, if tokens move there */
export function approvalCode(side: string, signer: Signer, rpc?: string): string {
  const isEvm = signer === 'EVM' || signer === 'browser'
  const approve = isEvm && rpc !== undefined ? approveCode(side, signer, rpc) : ''
  const wallet = signer === 'browser' && approve === '' ? `${wallets.browser()}\n\n` : ''
  const base58 = signer === 'SOL' ? `import { base58 } from '@scure/base'\n\n` : ''
  const message =
    signer === 'BTC' || signer === 'rail' ? '' : `const message = quote[side]?.message ?? ''\n\n`
  return `${approve}${wallet}${base58}const side = '${side}'\n${message}${signers[signer]}`
}

export function submitCode(signer: Signer): string {
  const approval = signer === 'rail' ? 'transactionIdSeed' : 'signature'
  const body =
    signer === 'BTC' ? '{ ...bodyOf(quote, { side }), ...lock }' : `bodyOf(quote, { side, ${approval} })`
  return `import { bodyOf } from 'transaction-back-end-client'

// Keep the body until the result is known: a retry must send the same one.
const submission = ${body}

// Transient failures are retried with the same body.
const { txId } = await client.submitAndWait(submission, {
  onState: ({ status }) => console.log(status)
})
if (txId === undefined) throw new Error('Executed, but the chain did not report an id')`
}

export function watchCode(isSwap: boolean): string {
  return `for await (const record of client.watch({ txId${isSwap ? ", kind: 'swap'" : ''} })) {
  console.log(record.txstatus, record.pullhash, record.releasehash)
}
// The last record is final: Completed, or a failure.`
}

/** Formats an object as a TypeScript literal. */
const literal = (value: object) => JSON.stringify(value, null, 2).replace(/^( +)"(\w+)":/gm, '$1$2:')
