const FORMS = [
  ['aws-kms', /^arn:[\w-]+:kms:[\w:/-]+$/],
  ['gcp-kms', /^([Hh][Tt][Tt][Pp][Ss]?:\/\/[^/@?#\s]+\/)?projects\/[\w.:/-]+\/cryptoKeyVersions\/\d+$/],
  ['module', /\.[cm]?[jt]s$/]
] as const

export const SIGNER_FORM =
  'the ARN of a key in AWS KMS, the name of a key version in Google Cloud KMS (projects/…/cryptoKeyVersions/1), or the ' +
  'path of a module that ends in .js, .mjs or .ts'

/** Returns which kind of signer a value of SERVICE_SIGNER selects (interface 17.12). */
export const signerKind = (signer: string) => FORMS.find(([, form]) => form.test(signer))?.[0]
