import { runFiles } from '../helpers/run-files.ts'

runFiles({ of: ['plugins', 'services'], except: ['services/submission'] })
