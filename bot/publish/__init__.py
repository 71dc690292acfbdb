"""What is kept on Discord: boards, hands, notices, their healing, and how often we ask."""
