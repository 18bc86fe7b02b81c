import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { sha256 } from '@cosmjs/crypto'
import { fromBase64 } from '@cosmjs/encoding'
import { makeSignBytes, makeSignDoc, type OfflineDirectSigner } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { within } from '../async/within.ts'
import { ConfigError, configError } from '../config-error.ts'
import { loadDefault } from '../custom-validation/module.ts'
import { awsKmsKey } from './aws-kms.ts'
import { gcpKmsKey } from './gcp-kms.ts'
import { keySigner, type RemoteKey } from './remote-key.ts'
import { createSigner, type Signer } from './signer.ts'
import { signerKind } from './signer-kind.ts'

/** How long to wait for each response from a signer at startup, in milliseconds. */
const MAX_START_MS = 10_000

const keyServices = {
  'aws-kms': { open: awsKmsKey, package: '@aws-sdk/client-kms' },
  'gcp-kms': { open: gcpKmsKey, package: '@google-cloud/kms' }
}

export interface SignerSettings {
  SERVICE_SIGNER?: string
  SERVICE_SIGNER_ADDRESS?: string
  chainPrefix: string
}

/** Describes an error without its message, which might contain configured values. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error'
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}

const signerError = (wrong: string, expected: string) => configError('SERVICE_SIGNER', wrong, expected)

async function attempt<T>(work: Promise<T>, refusal: (kind: string) => ConfigError): Promise<T> {
  try {
    return await within(MAX_START_MS, work, () => {
      throw new Error(`no response within ${MAX_START_MS} ms`)
    })
  } catch (error) {
    throw error instanceof ConfigError ? error : refusal(kindOf(error))
  }
}

async function openKey(
  { open, package: name }: (typeof keyServices)[keyof typeof keyServices],
  id: string,
  prefix: string
): Promise<OfflineDirectSigner> {
  const expected = 'a key whose public key is readable and that may sign'
  const key: RemoteKey = await attempt(open(id), kind =>
    kind.endsWith('ERR_MODULE_NOT_FOUND')
      ? signerError(`needs the package ${name}`, `it to be installed with \`npm install ${name}\``)
      : signerError(`has no readable public key (${kind})`, expected)
  )
  try {
    return keySigner(key, prefix)
  } catch {
    throw signerError('is not a secp256k1 key', 'a key for secp256k1 signatures')
  }
}

async function openModule(path: string): Promise<OfflineDirectSigner> {
  const refusal = (wrong: string) =>
    signerError(wrong, 'a module whose default export is a function that returns an OfflineDirectSigner')
  const open = await attempt(loadDefault(path, refusal), kind =>
    refusal(`points to a module that cannot be loaded (${kind})`)
  )
  if (typeof open !== 'function') throw refusal('points to a module whose default export is not a function')
  const signer = await attempt(
    Promise.resolve().then(() => open()),
    kind => refusal(`points to a module whose function fails (${kind})`)
  )
  if (typeof signer?.getAccounts !== 'function' || typeof signer.signDirect !== 'function') {
    throw refusal('points to a module whose function returns no signer')
  }
  return signer
}

/** Wraps an external signer and checks its signatures, because the signer might use a different key. */
async function checked(
  signer: OfflineDirectSigner,
  prefix: string,
  address: string
): Promise<Omit<Signer, 'sign'>> {
  const refusal = (kind: string) =>
    signerError(`points to a signer that fails (${kind})`, 'a signer that returns its accounts')
  async function readAccounts() {
    const accounts = await signer.getAccounts()
    return accounts
      .filter(({ algo }) => algo === 'secp256k1')
      .map(({ pubkey }) => ({ pubkey, address: pubkeyToAddress(encodeSecp256k1Pubkey(pubkey), prefix) }))
  }
  const own = await attempt(readAccounts(), refusal)
  const publicKey = own.find(account => account.address === address)?.pubkey
  if (publicKey === undefined) {
    const present = own.map(account => account.address).join(', ')
    throw configError(
      'SERVICE_SIGNER_ADDRESS',
      'is not the address of the signer’s key',
      present || 'a signer with a secp256k1 key'
    )
  }

  const wallet = {
    address,
    publicKey,
    getAccounts: () => signer.getAccounts(),
    async signDirect(...request: Parameters<OfflineDirectSigner['signDirect']>) {
      const answer = await signer.signDirect(...request)
      const digest = sha256(makeSignBytes(answer.signed))
      const signature = fromBase64(answer.signature.signature)
      if (!secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true })) {
        throw new TypeError('the signer returned a signature that was not made with the wallet’s key')
      }
      return answer
    }
  }
  // A document for no chain, so that its signature is worthless.
  const trial = makeSignDoc(new Uint8Array(), new Uint8Array(), '', 0)
  await attempt(wallet.signDirect(address, trial), refusal)
  return wallet
}

/**
 * Opens the wallet with the configured signer (interface 17.12). The phrase always signs the seeds of payments: a
 * payment's id must never change, but signatures from key services are not deterministic (interface 10.10).
 * @throws ConfigError
 */
export async function openSigner(settings: SignerSettings, mnemonic: string): Promise<Signer> {
  const { SERVICE_SIGNER: id, SERVICE_SIGNER_ADDRESS: address, chainPrefix: prefix } = settings
  const local = await createSigner({ mnemonic, prefix })
  if (id === undefined) {
    if (address === undefined || address === local.address) return local
    throw configError('SERVICE_SIGNER_ADDRESS', 'is not the address of the phrase’s wallet', local.address)
  }
  const kind = signerKind(id) ?? 'module'
  const signer = kind === 'module' ? await openModule(id) : await openKey(keyServices[kind], id, prefix)
  return { ...(await checked(signer, prefix, address ?? '')), sign: local.sign }
}
