import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import {
  createMessageTypes,
  createRegistry,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction,
  msgRequestResponse
} from '../../../services/messages/index.ts'
import { test } from '../../helpers/tap.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

/** Returns a string's bytes. The tests write the length prefix by hand. */
const ascii = (text: string) => [...Buffer.from(text, 'ascii')]
const hex = (bytes: Uint8Array | number[]) => Buffer.from(bytes).toString('hex')

// Tag = field number << 3 | wire type; 2 = length-delimited, 0 = varint.
// Above field 15 the tag takes two bytes: 16 << 3 | 2 = 130 = 0x82 0x01, 17 → 0x8a 0x01, 18 → 0x92 0x01.

const ROUTE = {
  creator: 'service1qq',
  originChain: 'ETH',
  originAddress: '0x01',
  targetChain: 'POL',
  targetAddress: '0x02',
  originSymbol: 'USDT',
  targetSymbol: 'USDC'
}
const ROUTE_BYTES = [
  ...[0x0a, 10, ...ascii('service1qq')],
  ...[0x12, 3, ...ascii('ETH')],
  ...[0x1a, 4, ...ascii('0x01')],
  ...[0x22, 3, ...ascii('POL')],
  ...[0x2a, 4, ...ascii('0x02')],
  ...[0x32, 4, ...ascii('USDT')],
  ...[0x3a, 4, ...ascii('USDC')]
]

const TRANSFER: MsgRequestTransaction = {
  ...ROUTE,
  amount: '100',
  fee: '0.5',
  htlcExpirationTimestamp: '1700000000',
  htlcCreationHash: 'h1',
  htlcCreationVout: 300,
  htlcVersion: 'v1',
  senderPubKey: new Uint8Array([0x02, 0xff, 0x00]),
  options: '{"feeId":"f"}'
}
const TRANSFER_BYTES = [
  ...ROUTE_BYTES,
  ...[0x42, 3, ...ascii('100')],
  ...[0x4a, 3, ...ascii('0.5')],
  ...[0x52, 10, ...ascii('1700000000')],
  ...[0x5a, 2, ...ascii('h1')],
  ...[0x60, 0xac, 0x02], // 300 = 2·128 + 44
  ...[0x6a, 2, ...ascii('v1')],
  ...[0x72, 3, 0x02, 0xff, 0x00],
  ...[0x7a, 13, ...ascii('{"feeId":"f"}')]
]

const SWAP: MsgRequestSwapTransaction = {
  ...ROUTE,
  amountIn: '100',
  amountOut: '99.5',
  fee: '0.5',
  dex: 'curve',
  slippage: '0.01',
  htlcExpirationTimestamp: '1700000000',
  htlcCreationHash: 'h1',
  htlcCreationVout: 1,
  htlcVersion: 'v1',
  senderPubKey: new Uint8Array([0x03, 0x80]),
  options: '{"feeId":"f"}'
}
const SWAP_BYTES = [
  ...ROUTE_BYTES,
  ...[0x42, 3, ...ascii('100')],
  ...[0x4a, 4, ...ascii('99.5')],
  ...[0x52, 3, ...ascii('0.5')],
  ...[0x5a, 5, ...ascii('curve')],
  ...[0x62, 4, ...ascii('0.01')],
  ...[0x6a, 10, ...ascii('1700000000')],
  ...[0x72, 2, ...ascii('h1')],
  ...[0x78, 0x01],
  ...[0x82, 0x01, 2, ...ascii('v1')],
  ...[0x8a, 0x01, 2, 0x03, 0x80],
  ...[0x92, 0x01, 13, ...ascii('{"feeId":"f"}')]
]

test('encodes every field with its number and wire type, also in CosmJS’s registry', async t => {
  const registry = createRegistry('service')
  const any = registry.encodeAsAny({ typeUrl: requestTransaction.typeUrl, value: TRANSFER })
  t.equal(hex(any.value), hex(TRANSFER_BYTES))
  t.same(registry.decode(any), TRANSFER)
  t.equal(hex(registry.encode({ typeUrl: requestSwapTransaction.typeUrl, value: SWAP })), hex(SWAP_BYTES))
  t.same(requestSwapTransaction.decode(new Uint8Array(SWAP_BYTES)), SWAP)
})

test('omits default values from an encoded message', async t => {
  t.equal(requestTransaction.encode(requestTransaction.fromPartial({})).finish().length, 0)
  t.equal(requestSwapTransaction.encode(requestSwapTransaction.fromPartial({})).finish().length, 0)

  const some = { originAddress: '', amount: '7', htlcCreationVout: 0, senderPubKey: new Uint8Array() }
  const message = requestTransaction.fromPartial(some)
  t.equal(hex(requestTransaction.encode(message).finish()), hex([0x42, 1, ...ascii('7')]))
  const swap = requestSwapTransaction.fromPartial({ ...some, amountOut: '7', options: '{}' })
  t.equal(
    hex(requestSwapTransaction.encode(swap).finish()),
    hex([0x4a, 1, ...ascii('7'), 0x92, 0x01, 2, ...ascii('{}')])
  )
})

test('decodes a uint64 above the safe integer range', async t => {
  const txId = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]
  const bytes = [...[0x0a, 3, ...ascii('200')], ...[0x12, 2, ...ascii('ok')], 0x18, ...txId]
  const response = { code: '200', msg: 'ok', txId: 2n ** 53n + 1n }
  t.equal(2n ** 53n + 1n, 1n + (0x10n << 49n), 'the eighth byte starts at bit 49')
  t.equal(hex(msgRequestResponse.encode(response).finish()), hex(bytes))
  t.same(msgRequestResponse.decode(new Uint8Array(bytes)), response)
})

test('skips unknown fields, and known fields with another wire type', async t => {
  const bytes = [
    ...[0xa0, 0x06, 0x05], // field 100, varint
    ...[0x0a, 2, ...ascii('me')],
    ...[0x10, 0x01], // field 2 as a varint
    ...[0xa9, 0x06, 1, 2, 3, 4, 5, 6, 7, 8], // field 101, 64 bits
    ...[0xb2, 0x06, 3, 1, 2, 3], // field 102, length-delimited
    ...[0xbd, 0x06, 1, 2, 3, 4], // field 103, 32 bits
    ...[0x42, 1, ...ascii('7')]
  ]
  t.same(
    requestTransaction.decode(new Uint8Array(bytes)),
    requestTransaction.fromPartial({ creator: 'me', amount: '7' })
  )
})

test('reads a nested message by its length prefix, and rejects missing bytes', async t => {
  const reader = new BinaryReader(new Uint8Array([...TRANSFER_BYTES, 0x42, 1, ...ascii('7')]))
  t.same(requestTransaction.decode(reader, TRANSFER_BYTES.length), TRANSFER)
  t.equal(reader.pos, TRANSFER_BYTES.length)
  t.throws(() => requestTransaction.decode(new Uint8Array(TRANSFER_BYTES.slice(0, -1))), RangeError)

  const writer = BinaryWriter.create().uint32(7)
  t.equal(requestTransaction.encode(TRANSFER, writer), writer, 'encodes into the writer it was given')
  t.equal(hex(writer.finish()), hex([7, ...TRANSFER_BYTES]))
})

test('rejects values that other Protobuf implementations cannot read', async t => {
  const encode = (partial: Partial<MsgRequestTransaction>) =>
    requestTransaction.encode(requestTransaction.fromPartial(partial))
  t.throws(() => encode({ options: '"\ud800"' }), /not well-formed Unicode/)
  t.throws(() => encode({ htlcCreationVout: 2 ** 32 }), /not a uint32/)
  t.throws(() => encode({ htlcCreationVout: 1.5 }), /not a uint32/)
  t.throws(() => msgRequestResponse.encode({ code: '', msg: '', txId: -1n }), /not a uint64/)
})

test('derives the protobuf package names from the brand', async t => {
  const types = createMessageTypes('acme')
  t.equal(types.requestTransaction.typeUrl, '/acmeblockchain.transaction.MsgRequestTransaction')
  t.equal(
    types.requestTransaction.responseTypeUrl,
    '/acmeblockchain.transaction.MsgRequestTransactionResponse'
  )
  t.equal(types.requestSwapTransaction.typeUrl, '/acmeblockchain.swap.MsgRequestSwapTransaction')
  t.equal(
    types.requestSwapTransaction.responseTypeUrl,
    '/acmeblockchain.swap.MsgRequestSwapTransactionResponse'
  )
})
