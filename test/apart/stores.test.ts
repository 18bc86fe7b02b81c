import { runFiles } from '../helpers/run-files.ts'

runFiles({ of: ['services/submission/store/long', 'services/submission/store/postgres'] })
