import { toBech32 } from '@cosmjs/encoding'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
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

function fee(amount: bigint | number, gas = 200_000) {
  return { amount: [{ denom: DENOM, amount: amount.toString() }], gas: gas.toString() }
}

/** The transaction with another body or other authentication than the signed ones. */
function altered(
  bytes: Uint8Array,
  change: { body?: Partial<TxBody>; authInfo?: Partial<AuthInfo>; signatures?: Uint8Array[] }
): Uint8Array {
  const raw = TxRaw.decode(bytes)
  return TxRaw.encode({
    bodyBytes: TxBody.encode({ ...TxBody.decode(raw.bodyBytes), ...change.body }).finish(),
    authInfoBytes: AuthInfo.encode({ ...AuthInfo.decode(raw.authInfoBytes), ...change.authInfo }).finish(),
    signatures: change.signatures ?? raw.signatures
  }).finish()
}

test('CheckTx refuses a bad envelope with the codes and texts of the SDK', async t => {
  const { chain, alice, bob } = await createTestChain()
  chain.produceBlock()
  const message = sendMessage(alice.address, bob.address, 1n)
  const refused = async (options: SignOptions, code: number, log: string | RegExp) => {
    t.match(chain.submitTx(await sign(alice, 0, [message], options)), { code, codespace: 'sdk', log })
  }
  const unverified =
    'signature verification failed; please verify account number (0) and chain-id (service-devnet-1): unauthorized'

  await refused(
    { signerData: { sequence: 4 } },
    32,
    'account sequence mismatch, expected 0, got 4: incorrect account sequence'
  )
  await refused({ signerData: { accountNumber: 1n } }, 4, unverified)
  await refused({ signerData: { chainId: 'another-chain' } }, 4, unverified)
  await refused(
    { fee: fee(FUNDS + 1n) },
    5,
    `spendable balance ${FUNDS}${DENOM} is smaller than ${FUNDS + 1n}${DENOM}: insufficient funds: insufficient funds`
  )
  await refused(
    { fee: fee(1199) },
    13,
    `insufficient fees; got: 1199${DENOM} required: 1200${DENOM}: insufficient fee`
  )
  await refused(
    { fee: { amount: [], gas: '200000' } },
    13,
    `insufficient fees; got:  required: 1200${DENOM}: insufficient fee`
  )
  await refused(
    { memo: 'é'.repeat(129) },
    12,
    'maximum number of characters is 256 but received 258 characters: memo too large'
  )
  await refused({ timeoutHeight: 1n }, 30, 'block height: 2, timeout height: 1: tx timeout height')
  await refused(
    { fee: fee(1_000_000, 40_000_001) },
    41,
    'tx gas limit 40000001 exceeds block max gas 40000000: invalid gas limit'
  )
  await refused(
    { fee: fee(2000, 3000) },
    11,
    /^out of gas in location: txSize; gasWanted: 3000, gasUsed: \d+: out of gas$/
  )
  await refused(
    { fee: fee(2000, 20_000) },
    11,
    /^out of gas in location: (Read|Write)\w+; gasWanted: 20000, gasUsed: \d+: out of gas$/
  )
  t.equal(chain.mempool.size, 0)
  t.equal(chain.submitTx(await sign(alice, 0, [message], { timeoutHeight: 3n })).code, 0)
})

test('CheckTx checks the messages themselves first', async t => {
  const { chain, alice, bob } = await createTestChain()
  const refused = async (to: string, amount: bigint, code: number, log: string | RegExp) => {
    const bytes = await sign(alice, 9, [sendMessage(alice.address, to, amount)])
    t.match(chain.submitTx(bytes), { code, codespace: 'sdk', log, gasWanted: 0n, gasUsed: 0n })
  }

  const foreign = toBech32('cosmos', new Uint8Array(20))
  await refused(
    foreign,
    1n,
    7,
    'invalid to address: invalid Bech32 prefix; expected service, got cosmos: invalid address'
  )
  await refused(
    'service1nonsense',
    1n,
    7,
    /^invalid to address: decoding bech32 failed: .*: invalid address$/
  )
  await refused('', 1n, 7, 'invalid to address: empty address string is not allowed: invalid address')
  await refused(bob.address, 0n, 10, `0${DENOM}: invalid coins`)
  await refused(bob.address, -1n, 10, `-1${DENOM}: invalid coins`)

  const nothing = await sign(alice, 0, [])
  t.match(chain.submitTx(nothing), { code: 18, log: 'must contain at least one message: invalid request' })
})

test('CheckTx refuses keys, signatures and accounts that do not match', async t => {
  const { chain, alice, bob } = await createTestChain()
  const good = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)])
  const refused = (bytes: Uint8Array, code: number, log: string | RegExp) =>
    t.match(chain.submitTx(bytes), { code, codespace: 'sdk', log })

  refused(
    altered(good, { body: { memo: 'changed' } }),
    4,
    /^signature verification failed; .*: unauthorized$/
  )
  refused(altered(good, { signatures: [new Uint8Array(64)] }), 4, /^signature verification failed/)
  refused(altered(good, { signatures: [new Uint8Array(5)] }), 4, /^signature verification failed/)
  refused(altered(good, { signatures: [] }), 15, 'no signatures supplied')
  const [signature = new Uint8Array()] = TxRaw.decode(good).signatures
  refused(
    altered(good, { signatures: [signature, signature] }),
    4,
    'wrong number of signers; expected 1, got 2: unauthorized'
  )
  const { signerInfos } = AuthInfo.decode(TxRaw.decode(good).authInfoBytes)
  const keyless = signerInfos.map(({ publicKey: _, ...rest }) => rest)
  refused(
    altered(good, { authInfo: { signerInfos: keyless } }),
    8,
    'unrecognized public key type: <nil>: invalid pubkey'
  )
  const other = await sign(bob, 0, [sendMessage(bob.address, alice.address, 1n)])
  const foreignKeys = AuthInfo.decode(TxRaw.decode(other).authInfoBytes).signerInfos
  refused(
    altered(good, { authInfo: { signerInfos: foreignKeys } }),
    8,
    `pubKey does not match signer address ${alice.address} with signer index: 0: invalid pubkey`
  )
  const stranger = await openWallet(STRANGER, 0n)
  refused(
    await sign(stranger, 0, [sendMessage(stranger.address, bob.address, 1n)]),
    9,
    `fee payer address: ${stranger.address} does not exist: unknown address`
  )
  t.equal(chain.submitTx(good).code, 0)
})

test('a signature with the higher value for s is refused', async t => {
  const { chain, alice, bob } = await createTestChain()
  const good = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)])
  const [signature = new Uint8Array()] = TxRaw.decode(good).signatures
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)
  const malleated = Buffer.concat([
    signature.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex')
  ])
  t.match(chain.submitTx(altered(good, { signatures: [malleated] })), { code: 4 })
})

test('bytes that are not a transaction, or have an unknown message type, fail to decode', async t => {
  const { chain, alice, bob } = await createTestChain()
  const good = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)])
  const refused = (bytes: Uint8Array, log: string | RegExp) =>
    t.match(chain.submitTx(bytes), { code: 2, codespace: 'sdk', log })

  refused(
    altered(good, { body: { messages: [{ typeUrl: '/unknown.v1.Msg', value: new Uint8Array() }] } }),
    'unable to resolve type URL /unknown.v1.Msg: tx parse error'
  )
  refused(Buffer.from('not a transaction'), /: tx parse error$/)
  refused(good.subarray(0, good.length - 1), /: tx parse error$/)
  refused(Buffer.concat([good, good]), /ADR-027: tx parse error$/)
  refused(Buffer.concat([good, Buffer.from('2201ff', 'hex')]), /^errUnknownField "\*tx.TxRaw"/)
  const [message] = TxBody.decode(TxRaw.decode(good).bodyBytes).messages
  const typeUrl = '/cosmos.bank.v1beta1.MsgSend'
  const value = Buffer.concat([message?.value ?? new Uint8Array(), Buffer.from('2a0101', 'hex')])
  refused(altered(good, { body: { messages: [{ typeUrl, value }] } }), /^errUnknownField ".*MsgSend"/)
})

test('CheckTx expects the sequence after those in the mempool, and accepts no other', async t => {
  const { chain, alice, bob } = await createTestChain()
  const at = (sequence: number) => sign(alice, sequence, [sendMessage(alice.address, bob.address, 1n)])
  t.equal(chain.submitTx(await at(0)).code, 0)
  t.equal(chain.submitTx(await at(1)).code, 0)
  t.match(chain.submitTx(await at(3)), {
    code: 32,
    log: 'account sequence mismatch, expected 2, got 3: incorrect account sequence'
  })
  t.match(chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, bob.address, 2n)])), { code: 32 })
  t.equal(chain.submitTx(await at(2)).code, 0)
  t.equal(sequenceOf(chain, alice), 0n)
  t.equal(chain.produceBlock().txs.length, 3)
  t.equal(sequenceOf(chain, alice), 3n)
})

test('without a minimum gas price no fee is needed', async t => {
  const { chain, alice, bob } = await createTestChain({ minGasPrice: '0' })
  const free = { ...FEE, amount: [] }
  const bytes = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)], { fee: free })
  t.equal(chain.submitTx(bytes).code, 0)
  t.equal(chain.produceBlock().txs[0]?.result.code, 0)
})

test('fees are integers, and fee grants are refused', async t => {
  const { chain, alice, bob } = await createTestChain()
  chain.produceBlock()
  const bytes = await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)])
  const submitFee = (amount: string, granter = '') => {
    const changed = { amount: [{ denom: DENOM, amount }], gasLimit: 200_000n, payer: '', granter }
    return chain.submitTx(altered(bytes, { authInfo: { fee: changed } }))
  }
  for (const amount of ['', '1.5', '0x10']) t.match(submitFee(amount), { code: 2 }, amount)
  t.match(submitFee('-5000'), { code: 13, log: /^invalid fee provided: -5000/ })
  t.match(submitFee('5000', bob.address), { code: 18, log: 'fee grants are not enabled: invalid request' })
})
