"""The language server: findings, facts and fixes in editors."""
