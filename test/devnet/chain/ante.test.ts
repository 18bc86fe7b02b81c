import { AuthInfo, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { createTestChain, DENOM, openWallet, sendMessage, sign } from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

const STRANGER = 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'

type Case = [code: number, log: string | RegExp]

interface Change {
  body?: Partial<TxBody>
  authInfo?: Partial<AuthInfo>
  signatures?: Uint8Array[]
}

test('CheckTx refuses what was changed after it was signed, and bytes that are no transaction', async t => {
  const { chain, alice, bob } = await createTestChain()
  const message = sendMessage(alice.address, bob.address, 1n)
  const good = await sign(alice, 0, [message])
  const raw = TxRaw.decode(good)
  const body = TxBody.decode(raw.bodyBytes)
  const authInfo = AuthInfo.decode(raw.authInfoBytes)
  const [signature = new Uint8Array()] = raw.signatures
  const altered = (change: Change) =>
    TxRaw.encode({
      bodyBytes: TxBody.encode({ ...body, ...change.body }).finish(),
      authInfoBytes: AuthInfo.encode({ ...authInfo, ...change.authInfo }).finish(),
      signatures: change.signatures ?? raw.signatures
    }).finish()
  /** The other valid signature, with the higher value for s. */
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)).toString(16)
  const malleated = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.padStart(64, '0'), 'hex')])
  const [{ publicKey: _, ...keyless } = SignerInfo.fromPartial({})] = authInfo.signerInfos
  const ofBob = await sign(bob, 0, [sendMessage(bob.address, alice.address, 1n)])
  const { signerInfos } = AuthInfo.decode(TxRaw.decode(ofBob).authInfoBytes)
  const stranger = await openWallet(STRANGER, 0n)
  const typeUrl = '/cosmos.bank.v1beta1.MsgSend'
  const extended = Buffer.concat([body.messages[0]?.value ?? new Uint8Array(), Buffer.from('2a0101', 'hex')])
  const withFee = (amount: string, granter = '') =>
    altered({
      authInfo: { fee: { amount: [{ denom: DENOM, amount }], gasLimit: 200_000n, payer: '', granter } }
    })
  const unverified = /^signature verification failed; .*: unauthorized$/

  const cases: [Uint8Array, ...Case][] = [
    [altered({ body: { memo: 'changed' } }), 4, unverified],
    [altered({ signatures: [new Uint8Array(64)] }), 4, unverified],
    [altered({ signatures: [new Uint8Array(5)] }), 4, unverified],
    [altered({ signatures: [malleated] }), 4, unverified],
    [altered({ signatures: [] }), 15, 'no signatures supplied'],
    [
      altered({ signatures: [signature, signature] }),
      4,
      'wrong number of signers; expected 1, got 2: unauthorized'
    ],
    [
      altered({ authInfo: { signerInfos: [keyless] } }),
      8,
      'unrecognized public key type: <nil>: invalid pubkey'
    ],
    [
      altered({ authInfo: { signerInfos } }),
      8,
      `pubKey does not match signer address ${alice.address} with signer index: 0: invalid pubkey`
    ],
    [
      await sign(stranger, 0, [sendMessage(stranger.address, bob.address, 1n)]),
      9,
      `fee payer address: ${stranger.address} does not exist: unknown address`
    ],
    [
      altered({ body: { messages: [{ typeUrl: '/unknown.v1.Msg', value: new Uint8Array() }] } }),
      2,
      'unable to resolve type URL /unknown.v1.Msg: tx parse error'
    ],
    [Buffer.from('not a transaction'), 2, /: tx parse error$/],
    [good.subarray(0, good.length - 1), 2, /: tx parse error$/],
    [Buffer.concat([good, good]), 2, /ADR-027: tx parse error$/],
    [Buffer.concat([good, Buffer.from('2201ff', 'hex')]), 2, /^errUnknownField "\*tx.TxRaw"/],
    [altered({ body: { messages: [{ typeUrl, value: extended }] } }), 2, /^errUnknownField ".*MsgSend"/],
    [withFee(''), 2, /tx parse error$/],
    [withFee('1.5'), 2, /tx parse error$/],
    [withFee('-5000'), 13, /^invalid fee provided: -5000/],
    [withFee('5000', bob.address), 18, /^timeout heights, extensions, fee payers and grants are not served/],
    [altered({ body: { timeoutHeight: 5n } }), 18, /not served here: invalid request$/]
  ]
  for (const [bytes, code, log] of cases) {
    t.match(chain.submitTx(bytes), { code, codespace: 'sdk', log }, String(log))
  }
  t.equal(chain.submitTx(good).code, 0)
})
