import { execFileSync } from 'node:child_process';

/**
 * The files of the last change: since `PILOTFISH_SINCE` (a commit), else what the branch adds to the one it came from,
 * else the last commit.
 * @returns {string[]} paths from the root; none where git cannot tell
 */
export function changedFiles(root) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const asked = [process.env.PILOTFISH_SINCE, 'origin/HEAD', 'HEAD~1'].filter(Boolean);
  for (const since of asked) {
    try {
      const changed = git('diff', '--name-only', git('merge-base', 'HEAD', since), 'HEAD')
        .split('\n')
        .filter(Boolean);
      if (changed.length > 0) return changed;
    } catch {
      // No such commit here, e.g. in a clone of one commit.
    }
  }
  return [];
}
