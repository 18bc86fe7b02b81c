import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CreateKeyCommand, type KeySpec, KMSClient } from '@aws-sdk/client-kms'
import type { Test } from 'tap'
import { startProcess } from '../../helpers/process.ts'
import { root, run } from '../../helpers/repository.ts'

const VERSION = '5.2.5'
const installed = join(root, `node_modules/.cache/moto-${VERSION}`)

/**
 * Patches moto to sign a digest as AWS does. Without the patch, moto hashes the digest again as if it were a message.
 */
const SERVER = `
import sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from moto.kms.utils import ECDSAPrivateKey
from moto.server import main
prehashed = ec.ECDSA(utils.Prehashed(hashes.SHA256()))
ECDSAPrivateKey.sign = lambda key, digest, algorithm: key.private_key.sign(digest, prehashed)
main(sys.argv[1:])
`

/** Environment variables that the SDK reads on an AWS machine. */
export const AWS_ENV = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'example',
  AWS_SECRET_ACCESS_KEY: 'example'
}

async function install(): Promise<void> {
  if (existsSync(installed)) return
  await mkdir(dirname(installed), { recursive: true })
  const folder = await mkdtemp(`${installed}-`)
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', folder]
  await run('python3', [...pip, `moto[server]==${VERSION}`])
  await rename(folder, installed)
}

/** Starts the KMS of moto, a third-party mock of AWS, on its own port. The mock is stopped when the test ends. */
export async function startMoto(t: Test) {
  await install()
  const env = { ...process.env, PYTHONPATH: installed }
  const moto = startProcess(t, 'python3', ['-c', SERVER, '-H', '127.0.0.1', '-p', '0'], { env })
  const [url] = await moto.saw(/http:\/\/127\.0\.0\.1:\d+/)
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey
  } = AWS_ENV
  const client = new KMSClient({ endpoint: url, region, credentials: { accessKeyId, secretAccessKey } })
  return {
    url,
    async createKey(KeySpec: KeySpec): Promise<string> {
      const { KeyMetadata } = await client.send(new CreateKeyCommand({ KeySpec, KeyUsage: 'SIGN_VERIFY' }))
      return KeyMetadata?.KeyId ?? ''
    }
  }
}
