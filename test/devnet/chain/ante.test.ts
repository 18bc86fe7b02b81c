import { toBech32 } from '@cosmjs/encoding'
import { AuthInfo, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  createTestChain,
  DENOM,
  FEE,
  FUNDS,
  openWallet,
  type SignOptions,
  sendMessage,
  sequenceOf,
  sign
} from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

const STRANGER = 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'

const fee = (amount: bigint | number, gas = 200_000) => ({
  amount: amount === 0 ? [] : [{ denom: DENOM, amount: String(amount) }],
  gas: String(gas)
})

type Case = [code: number, log: string | RegExp]

test('CheckTx refuses a bad envelope with the codes and texts of the SDK', async t => {
  const { chain, alice, bob } = await createTestChain()
  chain.produceBlock()
  const message = sendMessage(alice.address, bob.address, 1n)
  const unverified =
    /^signature verification failed; please verify account number \(0\) and chain-id \(service-devnet-1\): unauthorized$/
  const cases: [SignOptions, ...Case][] = [
    [
      { signerData: { sequence: 4 } },
      32,
      'account sequence mismatch, expected 0, got 4: incorrect account sequence'
    ],
    [{ signerData: { accountNumber: 1n } }, 4, unverified],
    [{ signerData: { chainId: 'another-chain' } }, 4, unverified],
    [
      { fee: fee(FUNDS + 1n) },
      5,
      `spendable balance ${FUNDS}${DENOM} is smaller than ${FUNDS + 1n}${DENOM}: insufficient funds: insufficient funds`
    ],
    [{ fee: fee(1199) }, 13, `insufficient fees; got: 1199${DENOM} required: 1200${DENOM}: insufficient fee`],
    [{ fee: fee(0) }, 13, `insufficient fees; got:  required: 1200${DENOM}: insufficient fee`],
    [
      { fee: fee(1_000_000, 40_000_001) },
      41,
      'tx gas limit 40000001 exceeds block max gas 40000000: invalid gas limit'
    ],
    [
      { fee: fee(2000, 3000) },
      11,
      /^out of gas in location: txSize; gasWanted: 3000, gasUsed: \d+: out of gas$/
    ],
    [{ fee: fee(2000, 30_000) }, 11, /^out of gas in location: (Read|Write)\w+; gasWanted: 30000, /]
  ]
  for (const [options, code, log] of cases) {
    t.match(chain.submitTx(await sign(alice, 0, [message], options)), { code, codespace: 'sdk', log })
  }
  t.equal(chain.mempool.size, 0)
})

test('CheckTx checks the messages themselves first', async t => {
  const { chain, alice, bob } = await createTestChain()
  const cases: [to: string, amount: bigint, ...Case][] = [
    [
      toBech32('cosmos', new Uint8Array(20)),
      1n,
      7,
      'invalid to address: invalid Bech32 prefix; expected service, got cosmos: invalid address'
    ],
    ['service1nonsense', 1n, 7, /^invalid to address: decoding bech32 failed: .*: invalid address$/],
    ['', 1n, 7, 'invalid to address: empty address string is not allowed: invalid address'],
    [bob.address, 0n, 10, `0${DENOM}: invalid coins`],
    [bob.address, -1n, 10, `-1${DENOM}: invalid coins`]
  ]
  for (const [to, amount, code, log] of cases) {
    const bytes = await sign(alice, 9, [sendMessage(alice.address, to, amount)])
    t.match(chain.submitTx(bytes), { code, codespace: 'sdk', log, gasWanted: 0n, gasUsed: 0n })
  }
  const nothing = await sign(alice, 0, [])
  t.match(chain.submitTx(nothing), { code: 18, log: 'must contain at least one message: invalid request' })
})

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

test('CheckTx expects the sequence after those in the mempool, and accepts no other', async t => {
  const { chain, alice, bob } = await createTestChain()
  const at = (sequence: number, amount = 1n) =>
    sign(alice, sequence, [sendMessage(alice.address, bob.address, amount)])
  t.equal(chain.submitTx(await at(0)).code, 0)
  t.equal(chain.submitTx(await at(1)).code, 0)
  t.match(chain.submitTx(await at(3)), {
    code: 32,
    log: 'account sequence mismatch, expected 2, got 3: incorrect account sequence'
  })
  t.match(chain.submitTx(await at(0, 2n)), { code: 32 })
  t.equal(chain.submitTx(await at(2)).code, 0)
  t.equal(sequenceOf(chain, alice), 0n)
  t.equal(chain.produceBlock().txs.length, 3)
  t.equal(sequenceOf(chain, alice), 3n)
})

test('without a minimum gas price no fee is needed', async t => {
  const { chain, alice, bob } = await createTestChain({ minGasPrice: '0' })
  const options = { fee: { ...FEE, amount: [] } }
  const bytes = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)], options)
  t.equal(chain.submitTx(bytes).code, 0)
  t.equal(chain.produceBlock().txs[0]?.result.code, 0)
})
