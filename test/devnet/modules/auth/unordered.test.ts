import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { DEVELOPMENT_WALLET } from '../../../../packages/devnet/wallets.ts'
import { CHAIN_ID, createTestChain, FEE, sendMessage, sequenceOf } from '../../../helpers/devnet/chain.ts'
import { test } from '../../../helpers/tap.ts'

/** An unordered send of the development wallet. @param timeout a time in milliseconds */
async function unorderedSend(timeout: number | undefined, sequence = 0): Promise<Uint8Array> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix: 'service' })
  const [account] = await wallet.getAccounts()
  if (account === undefined) throw new Error('no account')
  const { address } = account
  const { typeUrl, value } = sendMessage(address, address, 1n)
  const body = TxBody.fromPartial({
    messages: [{ typeUrl, value: MsgSend.encode(value).finish() }],
    unordered: true,
    ...(timeout !== undefined && {
      timeoutTimestamp: { seconds: BigInt(Math.floor(timeout / 1000)), nanos: 0 }
    })
  })
  const bodyBytes = TxBody.encode(body).finish()
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(account.pubkey))
  const authInfoBytes = makeAuthInfoBytes(
    [{ pubkey, sequence }],
    FEE.amount,
    Number(FEE.gas),
    undefined,
    undefined
  )
  const document = makeSignDoc(bodyBytes, authInfoBytes, CHAIN_ID, 0)
  const { signature } = await wallet.signDirect(address, document)
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [fromBase64(signature.signature)] }).finish()
}

test('an unordered transaction needs sequence 0 and a timeout of at most ten minutes', async t => {
  const { chain, alice } = await createTestChain({ sdk: '0.53' })
  const now = Date.parse(chain.block(1)?.time ?? '')
  const minute = 60_000
  for (const [timeout, sequence, code, log] of [
    [undefined, 0, 18, /^unordered transaction must have timeout_timestamp set: invalid request$/],
    [
      now - minute,
      0,
      42,
      /^block time: \S+ \S+ \+0000 UTC, timeout timestamp: \S+ \S+ \+0000 UTC: tx timeout$/
    ],
    [now + 11 * minute, 0, 18, /^unordered tx ttl exceeds 10m0s: invalid request$/],
    [now + minute, 1, 18, /^sequence is not allowed for unordered transactions: invalid request$/]
  ] as const) {
    t.match(chain.submitTx(await unorderedSend(timeout, sequence)), { code, log })
  }
  t.match(chain.submitTx(await unorderedSend(now + minute)), { code: 0 })
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])
  t.equal(sequenceOf(chain, alice), 0n)
})

test('chains before SDK 0.53 do not know unordered transactions', async t => {
  const { chain } = await createTestChain()
  const bytes = await unorderedSend(Date.parse(chain.block(1)?.time ?? '') + 60_000)
  t.match(chain.submitTx(bytes), { code: 2, log: /^errUnknownField "\*tx.TxBody"/ })
})
