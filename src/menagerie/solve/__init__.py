"""Which action is proven: values of whole endings, worked out from their ends backward, and tables of them."""
