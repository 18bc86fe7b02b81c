import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { compressedKey, fromDer } from '../../../services/wallet/remote-key.ts'
import { test } from '../../helpers/tap.ts'

test('converts OpenSSL signatures and keys to signatures and keys that the chain accepts', t => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const key = compressedKey(pem)
  t.same(compressedKey(publicKey.export({ format: 'der', type: 'spki' })), key)
  const highs = Array.from({ length: 40 }, (_, index) => {
    const message = Buffer.from([index])
    const given = sign('sha256', message, privateKey)
    const signature = Secp256k1Signature.fromFixedLength(fromDer(given))
    t.ok(verify('sha256', message, publicKey, Buffer.from(signature.toDer())))
    t.ok(Secp256k1.verifySignature(signature, createHash('sha256').update(message).digest(), key))
    return !Buffer.from(signature.toDer()).equals(given)
  })
  t.ok(highs.includes(true), 'some signatures had a high s')
  t.ok(highs.includes(false), 'some signatures had a low s')
  t.end()
})
