import { withAccount } from './client-code.ts'
import { literal } from './literal.ts'

interface Flow {
  baseUrl: string
  /** What is asked for. */
  request: { readonly originAddress: string } & Readonly<Record<string, string>>
  side: string
  isSwap: boolean
  /** How the user agrees: by a signature of a key for EVM chains, by one of another wallet, or by paying. */
  agreement: 'key' | 'wallet' | 'payment'
}

const agreements = {
  key: {
    name: 'signature',
    code: `const message = quote[side]?.message ?? ''
const signature = await account.signMessage({ message })`
  },
  wallet: {
    name: 'signature',
    code: `const message = quote[side]?.message ?? ''
// What the user's wallet makes of the message.
const signature = '0x…'`
  },
  payment: {
    name: 'transactionIdSeed',
    code: `const transactionIdSeed = crypto.randomUUID()
const { data: payment } = await client.api.GET('/submit/transactionId', {
  params: { query: { transactionIdSeed } }
})
console.log('payment', payment?.transactionId)`
  }
}

/** The whole flow as a program for Node, with the choices of the page. */
export function wholeScript({ baseUrl, request, side, isSwap, agreement }: Flow): string {
  const hasKey = agreement === 'key'
  const { name, code } = agreements[agreement]
  const asked = literal(request)
  const blocks = [
    `// npm install ./transaction-back-end-client-VERSION.tgz${hasKey ? ' viem' : ''}
import { bodyOf, createClient } from 'transaction-back-end-client'${
      hasKey ? `\nimport { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'` : ''
    }`,
    `const client = createClient({ baseUrl: '${baseUrl}' })`,
    ...(hasKey
      ? [
          `// In a shop, the user's wallet signs. Here a new key does.
const account = privateKeyToAccount(generatePrivateKey())`
        ]
      : []),
    `const quote = await client.quote(${hasKey ? withAccount(asked) : asked})`,
    `const side = '${side}'\n${code}`,
    `// Keep the body until the result is known: a retry must send the same one.
const body = bodyOf(quote, { side, ${name} })
const { txId } = await client.submitAndWait(body)`,
    `if (txId === undefined) throw new Error('Executed, but the chain did not report an id')
for await (const record of client.watch({ txId${isSwap ? ", kind: 'swap'" : ''} })) {
  console.log(record.txstatus)
}`
  ]
  return `${blocks.join('\n\n')}\n`
}
